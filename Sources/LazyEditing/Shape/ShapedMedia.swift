internal import LazyMedia

/// Media whose pictures are cropped, turned and mirrored.
struct ShapedMedia: MappedMedia {
    let base: any OpenedMedia
    private let shape: PictureShape
    private let step: ShapeStep
    private let focus: (x: Double, y: Double)

    /// `part` is what is kept of the pictures, and `focus` the point that a crop keeps.
    init(
        _ base: any OpenedMedia, _ shape: PictureShape, part: PixelRect,
        focus: (x: Double, y: Double), limits: DecodingLimits
    ) throws(MediaError) {
        self.base = base
        self.shape = shape
        self.focus = focus
        step = ShapeStep(shape, of: base.info.size, part: part)
        try limits.check(canvas: step.size)
    }

    var info: MediaInfo {
        var info = base.info
        info.size = step.size
        info.hasAlpha = info.hasAlpha || step.rotation != nil
        return info
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        let size = options.size ?? step.size
        try options.limits.check(canvas: size)
        var inner = options
        inner.size = step.decoded(for: options.size)
        return ShapedReader(base: try base.makeReader(inner), step, size)
    }

    /// The base's picture in the same shape; its bars are not looked for.
    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard let whole = try base.embeddedPoster(options) else { return nil }
        let part = try shape.crop?.part(of: whole.size, focus: focus) ?? PixelRect(whole.size)
        return try ShapeStep(shape, of: whole.size, part: part).applied(to: whole)
    }
}

private final class ShapedReader: MappedReader {
    let base: any FrameReader
    private let step: ShapeStep
    private let size: PixelSize

    init(base: any FrameReader, _ step: ShapeStep, _ size: PixelSize) {
        self.base = base
        self.step = step
        self.size = size
    }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame {
        try step.applied(to: frame, size: size)
    }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        let inner = step.decoded(for: size) ?? step.source
        guard let frame = try base.lastFrame(at: inner) else { return nil }
        return try step.applied(to: frame, size: size)
    }
}
