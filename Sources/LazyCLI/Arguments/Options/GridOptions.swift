internal import ArgumentParser
internal import LazyOptions

/// How many posters are beside each other.
struct GridOptions: ParsableArguments {
    @Option(
        "Show several beside each other: how many, or columns and rows of a window, such as 3x2.",
        as: "grid", transform: Arguments.grid)
    var grid: GridShape?

    var shape: (columns: Int, rows: Int?)? { grid.map { ($0.columns, $0.rows) } }
}

/// The number of pictures beside and above each other.
struct GridShape: Equatable, Sendable {
    let columns: Int
    let rows: Int?
}
