internal import LazyBase
internal import LazyMedia

/// Draws by iTerm2's protocol: each frame is a PNG file in a sequence.
///
/// https://iterm2.com/documentation-images.html
struct ITermCanvas: FrameDrawing {
    private let layout: PixelLayout
    private let output: EscapeBuffer
    private let encoder: QuickPNG
    private var isFirst = true
    private var cells = (columns: 0, lines: 0)

    init(
        _ grid: CellGrid, _ placement: CanvasPlacement, _ traits: TerminalTraits,
        _ encoders: EncoderRegistry
    ) {
        encoder = QuickPNG(encoders)
        layout = PixelLayout(grid, placement, traits, keepsLastLine: true)
        output = EscapeBuffer(isWrapped: traits.graphics.isInTmux)
    }

    /// Never larger than it is shown, as the terminal enlarges; palettes survive only unscaled.
    func pixelSize(of media: PixelSize, hasPalette: Bool) -> PixelSize {
        let most = output.isWrapped ? PixelLayout.maxPixelsInTmux : .max
        let fitted = layout.fitted(media, maxPixels: most)
        let kept = min(fitted.pixelCount * (hasPalette ? 2 : 1), most)
        return media.pixelCount <= kept ? media : fitted
    }

    mutating func invalidate() { isFirst = true }

    var moveBelow: String { layout.moveBelow(cells) }

    mutating func draw(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError) {
        let (output, size) = (output, bitmap.size)
        try output.stream(to: use) { () throws(MediaError) in
            try encoder.encode(bitmap) { (bytes) throws(MediaError) in append(bytes, of: size) }
        }
    }

    /// Lends the bytes that hand over a whole file, which the terminal plays by itself.
    mutating func draw(
        file: UnsafeRawBufferPointer, of size: PixelSize,
        _ use: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError) {
        let output = output
        try output.stream(to: use) { append(file, of: size) }
    }

    private mutating func append(_ file: UnsafeRawBufferPointer, of size: PixelSize) {
        cells = layout.cells(of: size)
        layout.begin(output, cells, isFirst: isFirst)
        isFirst = false
        output.beginAtCursor("]1337;File=inline=1;preserveAspectRatio=0;doNotMoveCursor=1;size=")
        output.append(number: file.count)
        output.append(";width=")
        output.append(number: cells.columns)
        output.append(";height=")
        output.append(number: cells.lines)
        output.append(":")
        output.append(base64: file)
        output.append("\u{07}")
        if output.isWrapped { output.append(Passthrough.ending) }
        layout.end(output, cells)
    }
}
