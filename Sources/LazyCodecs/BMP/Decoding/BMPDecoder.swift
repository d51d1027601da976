package import LazyMedia

/// Reads bitmaps as browsers do.
///
/// Throws `.unsupported` for bitmaps that wrap a JPEG or PNG.
package struct BMPDecoder: MediaDecoding {
    /// Makes the decoder.
    package init() {}

    /// The reader's name.
    package var name: String { "lazyimg" }

    /// Whether the bytes are a bitmap.
    package func canOpen(_ type: MediaType) -> Bool { type == .bmp }

    /// Reads the header.
    ///
    /// Throws `.unsupported`, `.truncated`, `.malformed`, `.limitExceeded` and what reading throws.
    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        let head = try bytes.bytes(14, at: 0)
        guard head.count == 14 else {
            throw MediaError(.truncated, "The bitmap ends in its header.")
        }
        let header = try BMPHeader(bytes, at: 14, pixels: head.little(10, 4), isIcon: false)
        return try OpenedBMP(bytes, header, type: .bmp, mask: nil, limits: limits)
    }
}

/// A bitmap whose header has been read: a file, or a picture of an icon.
struct OpenedBMP: OpenedMedia {
    let bytes: any ByteSource
    let header: BMPHeader
    /// The offset of an icon's mask of transparent pixels, or nil.
    let mask: Int?
    let info: MediaInfo

    init(
        _ bytes: any ByteSource, _ header: BMPHeader, type: MediaType, mask: Int?,
        limits: DecodingLimits
    ) throws(MediaError) {
        try limits.check(canvas: header.size)
        self.bytes = bytes
        self.header = header
        self.mask = mask
        var info = MediaInfo(
            type: type, codec: "bmp", size: header.size, frameCount: 1, duration: .zero,
            hasAlpha: header.hasAlpha || mask != nil,
            streams: [
                StreamInfo(
                    index: 0, kind: .video, codec: "bmp", codedSize: header.size, isChosen: true)
            ])
        info.color = ColorDescription(matrix: .identity, isFullRange: true, profile: header.profile)
        info.bitDepth = 8
        if header.isCut(in: bytes) {
            info.isTruncated = true
            info.warnings.append(MediaWarning(.truncated, "The bitmap ends early."))
        }
        self.info = info
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex([.still]) }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        BMPReader(self, options)
    }
}

/// Reads the one picture of a bitmap.
final class BMPReader: ComposingReader {
    var cursor: FrameCursor
    private let media: OpenedBMP
    private let colors: ReadingColors
    var color: ColorDescription { colors.color }

    init(_ media: OpenedBMP, _ options: ReaderOptions) {
        self.media = media
        cursor = FrameCursor([.still], options)
        colors = ReadingColors(media.info.color, .still, options.color)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        let options = cursor.options
        try cursor.spend(frame: media.header.size)
        try options.limits.check(canvas: options.size ?? media.header.size)
        let deadline = options.limits.decodeTime.map { ContinuousClock.now + $0 }
        var pixels = try BMPPixels(media, options.cancellation) { () throws(MediaError) in
            if let deadline, .now > deadline { throw options.limits.exceededDecodeTime }
        }
        let bitmap = try pixels.bitmap()
        for warning in pixels.warnings + [colors.warning].compactMap(\.self) {
            cursor.warn(warning)
        }
        return try colors.converted(bitmap).scaled(to: options.size ?? bitmap.size)
    }
}
