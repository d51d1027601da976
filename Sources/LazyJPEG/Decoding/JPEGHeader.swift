internal import CJPEG
internal import LazyMedia

/// The header: what precedes the first scan.
struct JPEGHeader {
    /// The coded size, before rotation.
    let size: PixelSize
    /// The EXIF data, or nil.
    let exif: EXIF?
    /// The bytes of the embedded thumbnail, or nil.
    let thumbnail: [UInt8]?

    init(_ bytes: any ByteSource, _ cancellation: CancellationFlag) throws(MediaError) {
        let input = JPEGInput(bytes, cancellation)
        var header = cjpeg_header()
        var words = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
        let status = input.withSource { source in
            withUnsafePointer(to: source) {
                cjpeg_read_header($0, &header, JPEGInput.didFindSegment, &words)
            }
        }
        try input.check(status, words)
        guard let size = PixelSize(checking: Int(header.width), Int(header.height)) else {
            throw MediaError(.malformed, "The JPEG has no size.")
        }
        self.size = size
        exif = input.exif
        thumbnail = input.thumbnail
    }
}
