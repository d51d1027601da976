package import LazyMedia

/// Media with a border of one color around its pictures.
struct PaddedMedia: MappedMedia {
    let base: any OpenedMedia
    private let padding: Padding
    private let canvas: PixelSize

    init(
        _ base: any OpenedMedia, _ padding: Padding, limits: DecodingLimits
    ) throws(MediaError) {
        self.base = base
        self.padding = padding
        canvas = try padding.canvas(of: base.info.size)
        try limits.check(canvas: canvas)
    }

    var info: MediaInfo {
        var info = base.info
        info.size = canvas
        info.hasAlpha = info.hasAlpha || padding.color.alpha < 255
        return info
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        let size = options.size ?? canvas
        try options.limits.check(canvas: size)
        var inner = options
        inner.size = options.size.map(pictureSize)
        return PaddedReader(
            base: try base.makeReader(inner), padding.color, size, picture: pictureSize)
    }

    /// The base's picture, padded as the frames are.
    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard let whole = try base.embeddedPoster(options) else { return nil }
        return try whole.padded(padding)
    }

    /// The size of the picture on a canvas of another size.
    private func pictureSize(on size: PixelSize) -> PixelSize {
        guard size != canvas else { return base.info.size }
        let across = Double(size.width) / Double(canvas.width)
        let down = Double(size.height) / Double(canvas.height)
        let picture = base.info.size
        return PixelSize(
            width: min(size.width, max(1, Int((Double(picture.width) * across).rounded()))),
            height: min(size.height, max(1, Int((Double(picture.height) * down).rounded()))))
    }
}

extension Bitmap {
    /// The picture in the middle of a border.
    package func padded(_ padding: Padding) throws(MediaError) -> Bitmap {
        try centered(on: padding.canvas(of: size), padding.color)
    }

    /// The picture in the middle of a canvas that is not smaller.
    func centered(on canvas: PixelSize, _ color: PixelColor?) throws(MediaError) -> Bitmap {
        guard canvas != size else { return self }
        return try padded(
            to: canvas, x: (canvas.width - size.width) / 2, y: (canvas.height - size.height) / 2,
            color: color)
    }
}

extension Frame {
    /// The frame in the middle of a canvas that is not smaller.
    fileprivate func centered(on canvas: PixelSize, _ color: PixelColor) throws(MediaError) -> Frame
    {
        guard let deep else { return replacing(try bitmap.centered(on: canvas, color)) }
        return try replacing(
            deep: deep.padded(
                to: canvas, x: (canvas.width - deep.size.width) / 2,
                y: (canvas.height - deep.size.height) / 2, color: color))
    }
}

private final class PaddedReader: MappedReader {
    let base: any FrameReader
    private let color: PixelColor
    private let canvas: PixelSize
    private let picture: (PixelSize) -> PixelSize

    init(
        base: any FrameReader, _ color: PixelColor, _ canvas: PixelSize,
        picture: @escaping (PixelSize) -> PixelSize
    ) {
        self.base = base
        self.color = color
        self.canvas = canvas
        self.picture = picture
    }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame {
        guard frame.bitmap.size != canvas else { return frame }
        return try frame.centered(on: canvas, color)
    }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        guard let frame = try base.lastFrame(at: picture(size)) else { return nil }
        return try frame.centered(on: size, color)
    }
}
