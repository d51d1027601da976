package import LazyMedia

/// A canvas on which pictures lie.
package struct Canvas: Hashable, Sendable {
    /// Its size.
    package var size: PixelSize
    /// The upper left corner of the picture.
    package var x: Int, y: Int
    /// The color behind the picture and around it; nil for transparency around it.
    package var color: PixelColor?

    /// Whether pictures of a size stay as they are.
    func keeps(_ picture: PixelSize, hasAlpha: Bool) -> Bool {
        size == picture && (color == nil || !hasAlpha)
    }
}

extension Bitmap {
    /// The picture on a canvas, blended over its color.
    func placed(on canvas: Canvas) throws(MediaError) -> Bitmap {
        guard !canvas.keeps(size, hasAlpha: !isOpaque) else { return self }
        guard let color = canvas.color, !isOpaque else {
            return try padded(to: canvas.size, x: canvas.x, y: canvas.y, color: canvas.color)
        }
        return try Bitmap(size: canvas.size, isOpaque: color.alpha == 255) { output in
            let pixels = output.bindMemory(to: Pixel.self)
            pixels.update(repeating: color.pixel)
            guard let top = pixels.baseAddress else { return }
            draw(over: top, of: canvas.size, x: canvas.x, y: canvas.y)
        }
    }
}

/// Media whose pictures lie on a canvas.
struct CanvasMedia: MappedMedia {
    let base: any OpenedMedia
    private let canvas: Canvas

    init(_ base: any OpenedMedia, _ canvas: Canvas, limits: DecodingLimits) throws(MediaError) {
        self.base = base
        self.canvas = canvas
        try limits.check(canvas: canvas.size)
    }

    var info: MediaInfo {
        var info = base.info
        info.hasAlpha =
            canvas.color.map { $0.alpha < 255 } ?? (info.hasAlpha || info.size != canvas.size)
        info.size = canvas.size
        return info
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        let size = options.size ?? canvas.size
        try options.limits.check(canvas: size)
        var inner = options
        inner.size = nil
        return PictureReader(
            base: try base.makeReader(inner), of: base.info.size, at: size
        ) { [canvas] (bitmap) throws(MediaError) in try bitmap.placed(on: canvas) }
    }

    /// Nil: the place on the canvas is that of the frames, and the embedded picture has another shape.
    func embeddedPoster(_ options: ReaderOptions) -> Bitmap? { nil }
}
