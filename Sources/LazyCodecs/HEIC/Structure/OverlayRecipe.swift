internal import LazyMedia

/// Pictures on top of each other (6.6.2.2).
struct OverlayRecipe: Sendable {
    /// The color below them: red, green, blue and alpha.
    let background: SIMD4<UInt8>
    let size: PixelSize
    /// Where the upper left corner of each one lies; may be outside.
    let offsets: [(x: Int, y: Int)]

    init(_ data: [UInt8], count: Int) throws(MediaError) {
        var fields = BoxFields(data)
        guard try fields.int(1) == 0 else { throw .heic("has an overlay of an unknown version") }
        let width = try fields.int(1) & 1 == 1 ? 4 : 2
        var color = SIMD4<UInt8>()
        for channel in 0..<4 { color[channel] = UInt8(try fields.int(2) >> 8) }
        background = color
        guard let size = PixelSize(checking: try fields.int(width), try fields.int(width)) else {
            throw .heic("has an overlay without a size")
        }
        self.size = size
        var offsets: [(x: Int, y: Int)] = []
        for _ in 0..<count {
            offsets.append((try Self.offset(&fields, width), try Self.offset(&fields, width)))
        }
        self.offsets = offsets
    }

    private static func offset(_ fields: inout BoxFields, _ width: Int) throws(MediaError) -> Int {
        let number = try fields.int(width)
        return width == 2
            ? Int(Int16(truncatingIfNeeded: number)) : Int(Int32(truncatingIfNeeded: number))
    }
}
