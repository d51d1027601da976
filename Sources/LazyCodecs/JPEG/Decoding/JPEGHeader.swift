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
    /// The XMP, or nil.
    let xmp: [UInt8]?
    /// The ICC profile, or nil.
    let profile: ICCProfile?
    /// The kind of samples.
    let samples: SampleKind
    /// The layout of samples in FFmpeg's terms.
    let pixelFormat: String

    init(
        _ bytes: any ByteSource, _ cancellation: CancellationFlag, _ limits: DecodingLimits
    ) throws(MediaError) {
        let input = JPEGInput(bytes, cancellation, limits: limits)
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
        profile = input.profile
        exif = input.exif
        xmp = input.xmp
        samples = header.components == 4 ? .cmyk : header.components == 1 ? .gray : .rgb
        pixelFormat = Self.pixelFormat(header)
        thumbnail = input.thumbnail
    }

    /// What the samples mean (JFIF: YUV of BT.601 in full range).
    var color: ColorDescription {
        ColorDescription(
            matrix: samples == .rgb ? .bt601 : .unspecified, isFullRange: true, profile: profile)
    }

    private static func pixelFormat(_ header: cjpeg_header) -> String {
        switch (header.components, header.across, header.down) {
        case (1, _, _): "gray"
        case (4, _, _): "cmyk"
        case (_, 1, 1): "yuvj444p"
        case (_, 2, 1): "yuvj422p"
        case (_, 1, 2): "yuvj440p"
        case (_, 4, 1): "yuvj411p"
        default: "yuvj420p"
        }
    }
}
