internal import LazyMedia

/// The blocks of 16 by 16 pixels that a frame codes; others show the canvas.
struct WebPBlocks: Hashable, Sendable {
    static let side = 16

    let columns: Int
    let rows: Int
    /// Whether each block is coded, row by row.
    private(set) var isCoded: [Bool]

    init(_ size: PixelSize, all isCoded: Bool) {
        columns = (size.width + Self.side - 1) / Self.side
        rows = (size.height + Self.side - 1) / Self.side
        self.isCoded = Array(repeating: isCoded, count: columns * rows)
    }

    mutating func code(column: Int, row: Int) { isCoded[row * columns + column] = true }

    /// The bounding box of the coded blocks, or nil where there are none.
    func rect(in size: PixelSize) -> PixelRect? {
        var (left, right, top, bottom) = (columns, -1, rows, -1)
        for row in 0..<rows {
            for column in 0..<columns where isCoded[row * columns + column] {
                (left, right) = (min(left, column), max(right, column))
                (top, bottom) = (min(top, row), row)
            }
        }
        guard right >= 0 else { return nil }
        return PixelRect(
            x: left * Self.side, y: top * Self.side, width: (right - left + 1) * Self.side,
            height: (bottom - top + 1) * Self.side
        ).clipped(to: size)
    }

    /// Whether a rectangle has a block that is not coded.
    func hasHole(in rect: PixelRect) -> Bool {
        let last = (rect.x + rect.width - 1) / Self.side
        for row in rect.y / Self.side...(rect.y + rect.height - 1) / Self.side {
            for column in rect.x / Self.side...last where !isCoded[row * columns + column] {
                return true
            }
        }
        return false
    }
}
