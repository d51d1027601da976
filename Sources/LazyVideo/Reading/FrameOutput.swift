internal import CFFmpeg
internal import LazyMedia

/// Makes frames of pictures, in the size and the colors that a reader was asked for.
struct FrameOutput {
    private let stream: VideoStream
    private let options: ReaderOptions
    private let colors: PictureOutput
    private let converter: FrameConverter
    private let planes: PlaneConverter?
    private let deferred: DeferredConverter

    init(_ stream: VideoStream, _ options: ReaderOptions, size: PixelSize) {
        self.stream = stream
        self.options = options
        colors = PictureOutput(colors: stream.colors, output: options.color)
        converter = Self.makeConverter(stream, colors, to: size)
        planes = options.planes ? PlaneConverter(to: size, stream.orientation, colors) : nil
        deferred = DeferredConverter(size, colors)
    }

    private static func makeConverter(
        _ stream: VideoStream, _ colors: PictureOutput, to size: PixelSize
    ) -> FrameConverter {
        FrameConverter(
            to: size, stream.orientation, colors, isAlwaysOpaque: stream.isAlwaysOpaque)
    }

    /// The bytes of a frame of a stream with so many bits a sample.
    static func byteCount(_ size: PixelSize, _ options: ReaderOptions, depth: Int?) -> Int {
        let isDeep = options.keepsDepth && depth ?? 16 > 8
        return size.rgbaByteCount + (isDeep ? size.deepByteCount : 0)
    }

    /// Where planes are scaled, the bitmap is made from them on first access, because scaling is
    /// expensive.
    func frame(_ picture: Picture, _ timing: FrameTiming) throws(MediaError) -> Frame {
        guard !isDeep(picture), let planes, let planar = try planes.planes(picture) else {
            return try frame(picture, timing, converter)
        }
        let bitmap =
            planes.isWhole(picture)
            ? try deferred.bitmap(planar, from: picture) : try planar.bitmap()
        return Frame(
            bitmap: bitmap, timing: timing, planes: planar, color: colors.color(picture))
    }

    /// The same at another size, without planes.
    func frame(
        _ picture: Picture, _ timing: FrameTiming, at size: PixelSize
    ) throws(MediaError) -> Frame {
        try frame(picture, timing, Self.makeConverter(stream, colors, to: size))
    }

    private func frame(
        _ picture: Picture, _ timing: FrameTiming, _ converter: FrameConverter
    ) throws(MediaError) -> Frame {
        let color = colors.color(picture)
        if isDeep(picture) {
            return try Frame(deep: converter.deepBitmap(picture), timing: timing, color: color)
        }
        return Frame(bitmap: try converter.bitmap(picture), timing: timing, color: color)
    }

    /// Whether a picture keeps its more than 8 bits a sample.
    private func isDeep(_ picture: Picture) -> Bool {
        options.keepsDepth && CodedForm.isDeep(picture.pointer.pointee.format)
    }
}
