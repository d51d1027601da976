internal import LazyBase
internal import LazyMedia

/// Draws with cells: several pixels a cell as blocks, or one as a character.
///
/// Remembers the content of each cell and writes only the cells that change. A pixel of alpha below
/// 128 shows the terminal's own background.
struct CellCanvas: FrameDrawing {
    private let grid: CellGrid
    private let placement: CanvasPlacement
    private let coding: CellCoding
    // What the screen shows, as words of `CellCoding`.
    private var cells: [UInt64] = []
    private var size: PixelSize?
    private(set) var hasCoveredText = false
    private var output: [UInt8] = []

    /// A value that no cell has, so that every cell counts as changed.
    private static let unknown: UInt64 = 0x01

    init(_ grid: CellGrid, _ placement: CanvasPlacement, _ traits: TerminalTraits = .full) {
        self.grid = grid
        self.placement = placement
        coding = CellCoding(traits)
    }

    func pixelSize(of media: PixelSize, hasPalette: Bool) -> PixelSize {
        // Half a cell is taken for a square.
        let target = TargetSize(width: grid.columns, height: grid.lines * 2)
        let size = target.scaledSize(of: media)
        let shape = coding.shape
        return PixelSize(
            width: min(size.width, grid.columns) * shape.columns,
            height: max(1, min(size.height, grid.lines * 2) * shape.rows / 2))
    }

    mutating func invalidate() { size = nil }

    var moveBelow: String {
        guard let size, placement != .inline else { return "" }
        let line = (origin(of: size)?.line ?? 1) + coding.shape.lines(of: size)
        return "\u{1B}[\(min(line, grid.lines));1H"
    }

    mutating func draw(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError) {
        let columns = coding.shape.columns(of: bitmap.size)
        let lines = coding.shape.lines(of: bitmap.size)
        let isFirst = size != bitmap.size
        if isFirst {
            cells = [UInt64](repeating: Self.unknown, count: columns * lines)
            size = bitmap.size
        }
        hasCoveredText = isFirst && placement != .inline
        // The most that a cell can need: a move, two colors, a block.
        let capacity = columns * lines * 72 + 64
        if output.count < capacity { output = [UInt8](repeating: 0, count: capacity) }
        let origin = origin(of: bitmap.size)
        let result = output.withUnsafeMutableBytes { output in
            var writer = CellWriter(output, origin, coding)
            if isFirst { writer.clear() }
            cells.withUnsafeMutableBufferPointer { cells in
                bitmap.withBytes { pixels in
                    writer.write(pixels, size: bitmap.size, over: cells)
                }
            }
            return Result { () throws(SystemError) in try use(writer.finished) }
        }
        try result.get()
    }

    private func origin(of size: PixelSize) -> CellWriter.Origin? {
        switch placement {
        case .inline: return nil
        case .corner: return CellWriter.Origin(line: 1, column: 1)
        case .center:
            let lines = coding.shape.lines(of: size)
            let columns = coding.shape.columns(of: size)
            return CellWriter.Origin(
                line: 1 + max(0, grid.lines - lines) / 2,
                column: 1 + max(0, grid.columns - columns) / 2)
        }
    }
}
