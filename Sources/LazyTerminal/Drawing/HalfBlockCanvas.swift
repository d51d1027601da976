package import CommandSupport
package import LazyMedia

/// Two pixels a cell: the upper half block in the color of one on the color of the other, or what
/// else the terminal can show.
///
/// Remembers what stands in each cell and writes only cells that change. A pixel of alpha below
/// 128 is left to the terminal's own background.
package struct HalfBlockCanvas: FrameDrawing {
    /// Where the picture stands.
    package enum Placement {
        /// In the upper left corner of the screen.
        case corner
        /// In the middle of the screen.
        case center
        /// Where the cursor is, as text is.
        case inline
    }
    private let grid: CellGrid
    private let placement: Placement
    private let coding: CellCoding
    // Two pixels a cell as 0xFFBBGGRR, or 0 where transparent; what the screen shows now.
    private var cells: [UInt64]
    private var size: PixelSize?
    private var output: [UInt8] = []

    /// A pixel pair that no cell holds, so that every cell counts as changed.
    private static let unknown: UInt64 = 0x01

    package init(_ grid: CellGrid, _ placement: Placement, _ traits: TerminalTraits = .full) {
        self.grid = grid
        self.placement = placement
        coding = CellCoding(traits)
        cells = []
    }

    package func pixelSize(of media: PixelSize) -> PixelSize {
        let target = TargetSize(width: grid.columns, height: grid.lines * 2)
        let size = target.scaledSize(of: media)
        return PixelSize(
            width: min(size.width, grid.columns), height: min(size.height, grid.lines * 2))
    }

    package mutating func forgetScreen() { size = nil }

    package var leaving: String {
        guard let size, placement != .inline else { return "" }
        let line = (origin(of: size)?.line ?? 1) + (size.height + 1) / 2
        return "\u{1B}[\(min(line, grid.lines));1H"
    }

    package mutating func draw(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let columns = bitmap.size.width
        let lines = (bitmap.size.height + 1) / 2
        let isFirst = size != bitmap.size
        if isFirst {
            cells = [UInt64](repeating: Self.unknown, count: columns * lines)
            size = bitmap.size
        }
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
            return Result { () throws(CommandFailure) in try use(writer.finished) }
        }
        try result.get()
    }

    private func origin(of size: PixelSize) -> CellWriter.Origin? {
        switch placement {
        case .inline: return nil
        case .corner: return CellWriter.Origin(line: 1, column: 1)
        case .center:
            let lines = (size.height + 1) / 2
            return CellWriter.Origin(
                line: 1 + max(0, grid.lines - lines) / 2,
                column: 1 + max(0, grid.columns - size.width) / 2)
        }
    }
}
