internal import LazyAVIF

extension MediaType {
    /// What changes loop and delays of a file of this type without encoding it anew, or nil.
    public var rewriter: (any MediaRewriting)? {
        switch self {
        case .avifSequence: AVIFRewriter()
        default: nil
        }
    }
}
