internal import LazyMedia

/// A JPEG whose header has been read.
struct OpenedJPEG: RowReading {
    private(set) var info: MediaInfo
    let bytes: any ByteSource
    /// The size before rotation.
    let codedSize: PixelSize
    let orientation: Orientation
    let samples: SampleKind
    private let hasThumbnail: Bool
    private let motion: MotionPhoto

    init(_ bytes: any ByteSource, limits: DecodingLimits) throws(MediaError) {
        let header = try JPEGHeader(bytes, CancellationFlag(), limits)
        try limits.check(canvas: header.size)
        orientation = Orientation(exif: header.exif?.orientation ?? 1)
        hasThumbnail = header.exif?.thumbnail != nil
        codedSize = header.size
        samples = header.samples
        motion = try MotionPhoto(bytes, xmp: header.xmp)
        info = MediaInfo(
            type: .jpeg, codec: "jpeg", size: orientation.turned(header.size), frameCount: 1,
            duration: .zero, rotation: orientation.quarterTurns * 90,
            isMirrored: orientation.isMirrored,
            streams: [
                StreamInfo(
                    index: 0, kind: .video, codec: "jpeg", codedSize: header.size, isChosen: true)
            ])
        info.color = header.color
        info.bitDepth = 8
        motion.describe(&info)
        if try JPEGEnd.isMissed(by: bytes) {
            info.isTruncated = true
            info.warnings.append(JPEGEnd.warning)
        }
        info.pixelFormat = header.pixelFormat
        self.bytes = bytes
    }

    /// The colors of a reading with options.
    func colors(_ options: ReaderOptions) -> ReadingColors {
        ReadingColors(info.color, .still, options.color, samples)
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        FrameIndex([.still])
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        JPEGReader(self, options)
    }

    func makeRowReader(_ options: ReaderOptions) -> (any RowReader)? {
        orientation == .upright ? JPEGReader(self, options) : nil
    }

    func motionFilm() throws(MediaError) -> any ByteSource { try motion.filmBytes() }

    /// The thumbnail in the EXIF segment, rotated like the picture.
    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard hasThumbnail else { return nil }
        let header = try JPEGHeader(bytes, options.cancellation, options.limits)
        guard let thumbnail = header.thumbnail else { return nil }
        let source = try MemoryBytes(thumbnail)
        let small = try JPEGHeader(source, options.cancellation, options.limits)
        try options.limits.check(canvas: small.size)
        let pixels = try JPEGPixels(
            source, codedSize: small.size, wanted: options.size.map(orientation.turned),
            JPEGInput(source, options))
        // A thumbnail has the colors of its picture (CIPA DC-008, 4.5.8), but three components.
        let colors = ReadingColors(info.color, .still, options.color, small.samples)
        return try colors.converted(pixels.bitmap).turned(orientation)
    }
}
