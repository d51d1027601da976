internal import LazyMedia

/// A JPEG whose header has been read.
struct OpenedJPEG: OpenedMedia {
    let info: MediaInfo
    let bytes: any ByteSource
    /// The size before rotation.
    let codedSize: PixelSize
    let orientation: Orientation
    private let hasThumbnail: Bool

    init(_ bytes: any ByteSource, limits: DecodingLimits) throws(MediaError) {
        let header = try JPEGHeader(bytes, CancellationFlag())
        try limits.check(canvas: header.size)
        orientation = Orientation(exif: header.exif?.orientation ?? 1)
        hasThumbnail = header.exif?.thumbnail != nil
        codedSize = header.size
        info = MediaInfo(
            type: .jpeg, codec: "jpeg", size: orientation.turned(header.size), frameCount: 1,
            duration: .zero, rotation: orientation.quarterTurns * 90,
            isMirrored: orientation.isMirrored,
            streams: [
                StreamInfo(
                    index: 0, kind: .video, codec: "jpeg", codedSize: header.size, isChosen: true)
            ])
        self.bytes = bytes
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        FrameIndex([.still])
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        JPEGReader(self, options)
    }

    /// The thumbnail in the EXIF segment, rotated like the picture.
    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard hasThumbnail else { return nil }
        let header = try JPEGHeader(bytes, options.cancellation)
        guard let thumbnail = header.thumbnail else { return nil }
        let source = try MemoryBytes(thumbnail)
        let small = try JPEGHeader(source, options.cancellation)
        try options.limits.check(canvas: small.size)
        let pixels = try JPEGPixels(
            source, codedSize: small.size, wanted: options.size.map(orientation.turned),
            JPEGInput(source, options))
        return try pixels.bitmap.turned(orientation)
    }
}

extension Bitmap {
    /// The picture rotated upright; itself where it is.
    func turned(_ orientation: Orientation) throws(MediaError) -> Bitmap {
        guard orientation != .upright else { return self }
        return try Bitmap(size: orientation.turned(size), isOpaque: isOpaque) { upright in
            withBytes { rows in
                guard let start = rows.baseAddress else { return }
                orientation.copy(start, stride: stride, size: size, into: upright)
            }
        }
    }
}
