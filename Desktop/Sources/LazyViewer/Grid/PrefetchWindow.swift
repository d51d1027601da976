/// The items that are loaded before they are seen; pure.
package struct PrefetchWindow: Equatable, Sendable {
    /// The items on screen when it was last told.
    private var first = 0

    package init() {}

    /// The items after those on screen, in the direction of scrolling: as many as are on screen.
    package mutating func items(
        visible: ClosedRange<Int>?, count: Int
    ) -> [Int] {
        guard let visible, count > 0 else { return [] }
        let isForward = visible.lowerBound >= first
        first = visible.lowerBound
        let length = visible.count
        return isForward
            ? Array(
                (visible.upperBound + 1)..<max(
                    visible.upperBound + 1, min(count, visible.upperBound + 1 + length)))
            : Array(max(0, visible.lowerBound - length)..<visible.lowerBound).reversed()
    }
}

/// The columns of the grid; pure.
package enum GridColumns {
    /// The width that a cell has at least.
    package static let cellWidth = 176
    /// The height of a cell's image.
    package static let cellHeight = 132

    /// The columns that fit into a width.
    package static func count(width: Int) -> Int { max(1, width / cellWidth) }
}
