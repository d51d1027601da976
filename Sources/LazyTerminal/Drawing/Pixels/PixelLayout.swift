internal import LazyMedia

/// Where pictures of a protocol for pixels stand, and how large they are.
struct PixelLayout {
    let grid: CellGrid
    let cell: PixelSize
    let placement: CanvasPlacement
    /// Whether the terminal shows a frame when all of it is there.
    private let isSynchronized: Bool

    /// Without the last line where a picture must end above it, as after inline pictures and where
    /// the terminal would scroll.
    init(
        _ grid: CellGrid, _ placement: CanvasPlacement, _ traits: TerminalTraits,
        keepsLastLine: Bool = false, isSynchronized: Bool = true
    ) {
        let isShorter = (keepsLastLine || placement == .inline) && grid.lines > 1
        self.grid = isShorter ? grid.shorter(by: 1) : grid
        self.placement = placement
        self.isSynchronized = isSynchronized
        cell = TerminalScreen.cell ?? traits.graphics.cell ?? TerminalGraphics.usualCell
    }

    /// The largest size in which media fits the grid.
    func fitted(_ media: PixelSize) -> PixelSize {
        let box = PixelSize(width: grid.columns * cell.width, height: grid.lines * cell.height)
        let size = TargetSize(width: box.width, height: box.height).scaledSize(of: media)
        return PixelSize(width: min(size.width, box.width), height: min(size.height, box.height))
    }

    /// The largest size of at most so many pixels in which media fits the grid.
    func fitted(_ media: PixelSize, maxPixels: Int) -> PixelSize {
        let size = fitted(media)
        guard size.pixelCount > maxPixels else { return size }
        let ratio = (Double(maxPixels) / Double(size.pixelCount)).squareRoot()
        return PixelSize(
            width: max(1, Int(Double(size.width) * ratio)),
            height: max(1, Int(Double(size.height) * ratio)))
    }

    /// The most pixels of a picture in one sequence for tmux, which discards more than a megabyte.
    static let maxPixelsInTmux = 300_000

    /// The cells that a picture of the fitted size covers.
    func cells(of media: PixelSize) -> (columns: Int, lines: Int) {
        let size = fitted(media)
        return (
            max(1, min(grid.columns, (size.width + cell.width / 2) / cell.width)),
            max(1, min(grid.lines, (size.height + cell.height / 2) / cell.height))
        )
    }

    /// The cells that a picture touches.
    func touched(by size: PixelSize) -> (columns: Int, lines: Int) {
        (
            min(grid.columns, (size.width + cell.width - 1) / cell.width),
            min(grid.lines, (size.height + cell.height - 1) / cell.height)
        )
    }

    /// The first cell of a picture of so many cells, from 1; nil at the cursor.
    func origin(_ cells: (columns: Int, lines: Int)) -> (line: Int, column: Int)? {
        switch placement {
        case .inline: nil
        case .corner: (1, 1)
        case .center:
            (1 + (grid.lines - cells.lines) / 2, 1 + (grid.columns - cells.columns) / 2)
        }
    }

    /// Begins a frame: the cursor goes to its first cell, and before the first frame the screen is cleared.
    func begin(
        _ output: EscapeBuffer, _ cells: (columns: Int, lines: Int), isFirst: Bool
    ) {
        if isSynchronized { output.append("\u{1B}[?2026h") }
        if isFirst, placement != .inline { output.append("\u{1B}[0m\u{1B}[2J") }
        if placement == .inline {
            // The lines are made first: the terminal scrolls before the picture is there.
            for _ in 0..<cells.lines { output.append("\n") }
            move(output, cells.lines, up: true)
            output.append("\u{1B}7")
        }
        if let origin = origin(cells) {
            output.append("\u{1B}[")
            output.append(number: origin.line)
            output.append(";")
            output.append(number: origin.column)
            output.append("H")
        }
    }

    /// Ends a frame.
    func end(_ output: EscapeBuffer, _ cells: (columns: Int, lines: Int)) {
        if placement == .inline {
            output.append("\u{1B}8\r")
            move(output, cells.lines, up: false)
        }
        if isSynchronized { output.append("\u{1B}[?2026l") }
    }

    private func move(_ output: EscapeBuffer, _ lines: Int, up: Bool) {
        output.append("\u{1B}[")
        output.append(number: lines)
        output.append(up ? "A" : "B")
    }

    /// The bytes that move the cursor below a picture of so many cells.
    func moveBelow(_ cells: (columns: Int, lines: Int)) -> String {
        guard let origin = origin(cells) else { return "" }
        return "\u{1B}[\(min(origin.line + cells.lines, grid.lines));1H"
    }
}
