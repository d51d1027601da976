/// Columns and lines of a terminal.
public struct CellGrid: Hashable, Sendable {
    /// The number of columns.
    public let columns: Int
    /// The number of lines.
    public let lines: Int

    /// Makes a grid, or nil where a side is below 1 or above 1000.
    public init?(checking columns: Int, _ lines: Int) {
        guard (1...1000).contains(columns), (1...1000).contains(lines) else { return nil }
        self.columns = columns
        self.lines = lines
    }

    /// The size that is assumed where the terminal reports none: 80 by 24.
    public static let standard = CellGrid(columns: 80, lines: 24)

    /// The grid with fewer lines, at least one.
    func shorter(by count: Int) -> CellGrid {
        CellGrid(columns: columns, lines: max(1, lines - count))
    }

    private init(columns: Int, lines: Int) {
        self.columns = columns
        self.lines = lines
    }
}
