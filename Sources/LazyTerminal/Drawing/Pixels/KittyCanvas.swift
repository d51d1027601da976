internal import LazyBase
internal import LazyMedia

/// Draws by kitty's protocol: pixels in shared memory or files, else as PNG in the sequences.
///
/// A frame is an image of its own, which replaces the one before; in kitty itself, few changes are
/// drawn into the image that is there.
struct KittyCanvas: FrameDrawing {
    private let layout: PixelLayout
    private let transfer: TerminalGraphics.Transfer
    private let animates: Bool
    private let files: PictureFiles?
    private let output: EscapeBuffer
    private let images = [KittyImage(slot: 0), KittyImage(slot: 1)]
    private let encoder: QuickPNG
    private var slot = 0
    /// The picture on screen, where the next one may be drawn as changes of it.
    private var shown: Bitmap?
    private var isFirst = true
    private(set) var hasCoveredText = false
    private var cells = (columns: 0, lines: 0)

    init(
        _ grid: CellGrid, _ placement: CanvasPlacement, _ traits: TerminalTraits,
        _ encoders: EncoderRegistry
    ) {
        encoder = QuickPNG(encoders)
        // Kitty 0.26 loses commands within a synchronized update. Each picture is shown at once anyway.
        layout = PixelLayout(grid, placement, traits, isSynchronized: false)
        // The picture in the text outlives this process, and so must its pixels.
        transfer = placement == .inline ? .direct : traits.graphics.kitty ?? .direct
        // In tmux the picture before may be gone: it clears the screen when it redraws a window.
        animates = traits.graphics.animates && !traits.graphics.isInTmux
        files = PictureFiles(transfer)
        output = EscapeBuffer(isWrapped: traits.graphics.isInTmux)
    }

    /// Never larger than it is shown, as the terminal enlarges; palettes survive only unscaled.
    func pixelSize(of media: PixelSize, hasPalette: Bool) -> PixelSize {
        let fitted = layout.fitted(media)
        let most = fitted.pixelCount * (hasPalette && transfer == .direct ? 2 : 1)
        return media.pixelCount <= most ? media : fitted
    }

    var isBehind: Bool { files?.isBehind ?? false }

    mutating func invalidate() {
        isFirst = true
        shown = nil
    }

    var moveBelow: String { layout.moveBelow(cells) }

    var removal: String {
        let buffer = EscapeBuffer(isWrapped: output.isWrapped)
        for image in images { image.appendRemoval(to: buffer) }
        return String(decoding: buffer.content, as: UTF8.self)
    }

    mutating func draw(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError) {
        hasCoveredText = isFirst
        if bitmap.size != shown?.size { shown = nil }
        let output = output
        try output.stream(to: use) { () throws(MediaError) in try draw(bitmap) }
        if transfer == .direct { shown = bitmap }
        isFirst = false
    }

    private mutating func draw(_ bitmap: Bitmap) throws(MediaError) {
        guard let shown, animates, transfer == .direct else { return try drawAll(bitmap) }
        let changes = PictureChanges(shown, bitmap)
        if changes.count == 0 { return }
        if changes.count * 2 < bitmap.size.pixelCount {
            try drawChanges(changes, shown, bitmap)
        } else {
            try drawAll(bitmap)
        }
    }

    private mutating func drawAll(_ bitmap: Bitmap) throws(MediaError) {
        cells = layout.cells(of: bitmap.size)
        layout.begin(output, cells, isFirst: isFirst)
        slot = 1 - slot
        let (image, cells) = (images[slot], cells)
        let purpose = KittyImage.Purpose.picture(
            columns: cells.columns, lines: cells.lines, isInline: layout.placement == .inline)
        let name = files.flatMap { files in bitmap.withBytes { files.hand($0) } }
        if let name {
            image.append(
                .handed(name, bitmap.size, transfer),
                for: purpose, to: output)
        } else {
            try encode(bitmap) { bytes, output in
                image.append(.png(bytes), for: purpose, to: output)
            }
        }
        if layout.placement != .inline { images[1 - slot].appendRemoval(to: output) }
        layout.end(output, cells)
    }

    private mutating func drawChanges(
        _ changes: PictureChanges, _ before: Bitmap, _ after: Bitmap
    ) throws(MediaError) {
        let image = images[slot]
        try encode(changes.picture(before, after)) { bytes, output in
            image.append(
                .png(bytes),
                for: .part(x: changes.rect.x, y: changes.rect.y, replaces: !changes.isOpaque),
                to: output)
        }
    }

    private mutating func encode(
        _ bitmap: Bitmap, _ append: (UnsafeRawBufferPointer, EscapeBuffer) -> Void
    ) throws(MediaError) {
        let output = output
        try encoder.encode(bitmap) { (bytes) throws(MediaError) in append(bytes, output) }
    }
}
