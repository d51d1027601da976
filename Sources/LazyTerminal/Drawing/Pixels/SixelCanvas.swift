internal import LazyBase
internal import LazyMedia

/// Draws as sixels: bands of six rows in the colors of a palette.
///
/// After the first frame only pixels that change are drawn over the others. A pixel of the source that
/// does not change keeps its color, so that still parts neither flicker nor cost bytes.
struct SixelCanvas: FrameDrawing {
    private let layout: PixelLayout
    private let output: EscapeBuffer
    private let picture: SixelPicture
    private var writer: SixelWriter?
    private var isFirst = true
    private(set) var hasCoveredText = false
    private var cells = (columns: 0, lines: 0)
    /// The most pixels of a picture.
    private let limit: Int

    init(_ grid: CellGrid, _ placement: CanvasPlacement, _ traits: TerminalTraits) {
        layout = PixelLayout(grid, placement, traits, keepsLastLine: true)
        output = EscapeBuffer(isWrapped: traits.graphics.isInTmux)
        let colors = traits.graphics.sixelColors ?? 256
        picture = SixelPicture(colorCount: min(max(colors, 2), SixelPicture.maxColors))
        limit = output.isWrapped ? PixelLayout.maxPixelsInTmux : .max
    }

    func pixelSize(of media: PixelSize, hasPalette: Bool) -> PixelSize {
        layout.fitted(media, maxPixels: limit)
    }

    mutating func invalidate() { isFirst = true }

    var moveBelow: String { layout.moveBelow(cells) }

    mutating func draw(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError) {
        hasCoveredText = false
        var isWhole = isFirst || picture.size != bitmap.size
        // What was drawn can only be covered, so transparency needs a cleared screen.
        if isWhole || !picture.take(bitmap) {
            isWhole = true
            picture.begin(bitmap)
        } else if picture.isUnchanged {
            return
        }
        cells = layout.touched(by: bitmap.size)
        isFirst = false
        hasCoveredText = isWhole
        if writer?.width != bitmap.size.width { writer = SixelWriter(width: bitmap.size.width) }
        let output = output
        try output.stream(to: use) {
            layout.begin(output, cells, isFirst: isWhole)
            // Where nothing is drawn the old pixels stay (P2 = 1).
            output.beginAtCursor("P0;1q\"1;1;")
            output.append(number: bitmap.size.width)
            output.append(";")
            output.append(number: bitmap.size.height)
            writer?.write(picture, to: output)
            output.end()
            layout.end(output, cells)
        }
    }
}
