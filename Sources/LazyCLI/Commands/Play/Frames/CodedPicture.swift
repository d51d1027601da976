internal import LazyBase
internal import LazyMedia

/// Encodes pictures in the formats of `EncoderRegistry`, such as JPEG.
struct CodedPicture: Sendable {
    private let encoding: PosterEncoding

    /// An encoder of a format; nil for one that is written by a `PictureEncoding`.
    init?(_ format: FrameFormat, _ options: EncodingOptions) {
        guard format.hasQuality, let format = OutputFormat(rawValue: format.rawValue) else {
            return nil
        }
        encoding = PosterEncoding(format: format, options: options)
    }

    /// The bytes of a file.
    func bytes(of bitmap: Bitmap) async throws(MediaError) -> [UInt8] {
        let bytes = Locked<[UInt8]>([])
        try await encoding.write(bitmap) { piece in bytes.withLock { $0 += piece } }
        return bytes.withLock { $0 }
    }
}
