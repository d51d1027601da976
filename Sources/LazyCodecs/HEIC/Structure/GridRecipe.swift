internal import LazyMedia

/// A picture of equal tiles (ISO/IEC 23008-12, 6.6.2.3).
struct GridRecipe: Sendable {
    let columns: Int
    let rows: Int
    let size: PixelSize

    init(_ data: [UInt8]) throws(MediaError) {
        var fields = BoxFields(data)
        guard try fields.int(1) == 0 else { throw .heic("has a grid of an unknown version") }
        let width = try fields.int(1) & 1 == 1 ? 4 : 2
        rows = try fields.int(1) + 1
        columns = try fields.int(1) + 1
        guard let size = PixelSize(checking: try fields.int(width), try fields.int(width)) else {
            throw .heic("has a grid without a size")
        }
        self.size = size
    }

    /// Where a tile of a size lies; tiles go from left to right, then down.
    func origin(of index: Int, _ tile: PixelSize) -> (x: Int, y: Int) {
        (index % columns * tile.width, index / columns * tile.height)
    }
}
