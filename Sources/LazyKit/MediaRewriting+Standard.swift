internal import LazyAVIF
internal import LazyGIF
internal import LazyPNG
internal import LazyWebP

extension MediaType {
    /// What changes loop and delays of a file of this type without encoding it anew, or nil.
    public var rewriter: (any MediaRewriting)? {
        switch self {
        case .gif: GIFRewriter()
        case .webpAnimation: WebPRewriter()
        case .apng: APNGRewriter()
        case .avifSequence: AVIFRewriter()
        default: nil
        }
    }
}
