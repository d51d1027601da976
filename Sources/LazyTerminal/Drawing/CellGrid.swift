internal import LazyMedia

/// Columns and lines of a terminal.
package struct CellGrid: Hashable, Sendable {
    package let columns: Int
    package let lines: Int

    /// The grid, or nil where a side is below 1 or above 1000.
    package init?(checking columns: Int, _ lines: Int) {
        guard (1...1000).contains(columns), (1...1000).contains(lines) else { return nil }
        self.columns = columns
        self.lines = lines
    }

    /// What a terminal is taken to be that does not tell.
    package static let usual = CellGrid(columns: 80, lines: 24)

    private init(columns: Int, lines: Int) {
        self.columns = columns
        self.lines = lines
    }
}
