internal import LazyMedia

/// Reads the one picture of a JPEG.
final class JPEGReader: ComposingReader, RowReader {
    var cursor: FrameCursor
    private let media: OpenedJPEG
    private let colors: ReadingColors
    var color: ColorDescription { colors.color }

    init(_ media: OpenedJPEG, _ options: ReaderOptions) {
        self.media = media
        colors = media.colors(options)
        cursor = FrameCursor([.still], options)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        let options = cursor.options
        try cursor.spend(frame: media.codedSize)
        let wanted = options.size ?? media.info.size
        try options.limits.check(canvas: wanted)
        let inks = media.samples == .cmyk ? colors.converter : nil
        let pixels = try JPEGPixels(
            media.bytes, codedSize: media.codedSize,
            wanted: media.orientation.turned(wanted), JPEGInput(media.bytes, options),
            inks: inks)
        for warning in pixels.warnings + [colors.warning].compactMap(\.self) {
            cursor.warn(warning)
        }
        let bitmap = inks == nil ? try colors.converted(pixels.bitmap) : pixels.bitmap
        return try bitmap.turned(media.orientation)
    }

    func readRows(_ taker: RowTaker) throws(MediaError) -> Bool {
        let (options, size) = (cursor.options, media.codedSize)
        try cursor.spend(frame: size)
        let keepsInks = media.samples == .cmyk && colors.converter != nil
        let warnings = try JPEGPixels.readRows(
            of: size, JPEGInput(media.bytes, options, taker: taker), keepsInks: keepsInks,
            colors.converting(taker))
        try cursor.spendTime(without: taker.time)
        guard let warnings else { return false }
        for warning in warnings + [colors.warning].compactMap(\.self) { cursor.warn(warning) }
        return true
    }
}
