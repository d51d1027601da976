internal import CFFmpeg
internal import LazyMedia

/// Converting pictures to frames.
extension VideoFrameReader {
    static func makeConverter(
        _ media: OpenedVideo, _ output: PictureOutput, to size: PixelSize
    ) -> FrameConverter {
        FrameConverter(
            to: size, media.stream.orientation, output,
            isAlwaysOpaque: media.stream.isAlwaysOpaque)
    }

    /// The bytes of a frame of a stream with so many bits a sample.
    static func frameBytes(_ size: PixelSize, _ options: ReaderOptions, depth: Int?) -> Int {
        let isDeep = options.keepsDepth && depth ?? 16 > 8
        return size.rgbaByteCount + (isDeep ? size.deepByteCount : 0)
    }

    /// Where planes are scaled, the bitmap is made from them on first access, because scaling is
    /// expensive.
    func convert(
        _ picture: Picture, _ timing: FrameTiming
    ) throws(MediaError) -> Frame {
        if isDeep(picture) {
            return try Frame(
                deep: converter.deepBitmap(picture), timing: timing, color: output.color(picture))
        }
        guard let planes, let planar = try planes.planes(picture) else {
            return Frame(
                bitmap: try converter.bitmap(picture), timing: timing, color: output.color(picture))
        }
        let bitmap =
            planes.isWhole(picture)
            ? try deferred.bitmap(planar, from: picture) : try planar.bitmap()
        return Frame(
            bitmap: bitmap, timing: timing, planes: planar, color: output.color(picture))
    }

    /// Whether a picture keeps its more than 8 bits a sample.
    private func isDeep(_ picture: Picture) -> Bool {
        options.keepsDepth && CodedForm.isDeep(picture.pointer.pointee.format)
    }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        // Keyframes decoded in isolation may differ from those of a sequential read.
        guard let last, !options.keyframesOnly, !options.isQuick else { return nil }
        try options.limits.check(canvas: size)
        let converter = Self.makeConverter(media, output, to: size)
        let color = output.color(last.picture)
        if isDeep(last.picture) {
            return try Frame(
                deep: converter.deepBitmap(last.picture), timing: last.timing, color: color)
        }
        return Frame(
            bitmap: try converter.bitmap(last.picture), timing: last.timing, color: color)
    }
}
