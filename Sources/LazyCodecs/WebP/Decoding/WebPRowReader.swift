internal import LazyMedia

/// Reads the rows of a still WebP.
///
/// libwebp writes into memory for the whole picture, of which rows that have been taken are given back. It keeps a
/// lossless picture itself all the same.
final class WebPRowReader: RowReader {
    private var cursor: FrameCursor
    private let media: OpenedWebP
    private let colors: ReadingColors
    var color: ColorDescription { colors.color }
    var warnings: [MediaWarning] { cursor.warnings }

    init(_ media: OpenedWebP, _ options: ReaderOptions) {
        self.media = media
        cursor = FrameCursor([.still], options, warnings: media.info.warnings)
        colors = ReadingColors(media.info.color, .still, options.color)
        if let warning = colors.warning { cursor.warn(warning) }
    }

    func readRows(_ taker: RowTaker) throws(MediaError) -> Bool {
        let (options, size) = (cursor.options, media.size)
        try cursor.spend(frame: size)
        // libwebp's picture, and the rows.
        try options.limits.check(canvases: 2, of: size)
        let memory = try PassingMemory(byteCount: size.rgbaByteCount)
        let converting = colors.converting(taker)
        var passed = 0
        let outcome = try media.withData(media.images[0], options) { (data) throws(MediaError) in
            try WebPPixels.decode(
                data,
                into: .init(
                    start: memory.start, stride: size.width * 4, size: size, isScaled: false),
                cancellation: options.cancellation
            ) { (count) throws(MediaError) in
                let end = count * size.width * 4
                guard end > passed else { return }
                let rows = UnsafeRawBufferPointer(start: memory.start + passed, count: end - passed)
                passed = end
                guard converting.take(rows) else { throw converting.failure ?? .cancelled }
                memory.release(upTo: end)
            }
        }
        try cursor.spendTime(without: taker.time)
        return outcome == .whole
    }
}
