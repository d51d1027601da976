internal import LazyMedia

/// One picture of an icon or cursor.
struct IconEntry: Hashable, Sendable {
    /// What the directory says; 256 is stored as 0.
    let width: Int, height: Int, bits: Int
    let content: Range<Int>
}

/// The directory at the beginning of an icon or cursor.
struct IconDirectory: Sendable {
    /// The pictures, the best one first: the largest, then the one of most bits.
    let entries: [IconEntry]

    init(_ bytes: any ByteSource) throws(MediaError) {
        let head = try bytes.bytes(6, at: 0)
        let count = head.little(4, 2)
        guard head.count == 6, count > 0 else {
            throw MediaError(
                head.count < 6 ? .truncated : .malformed, "The icon holds no picture.")
        }
        let table = try bytes.bytes(count * 16, at: 6)
        let isCursor = head.little(2, 2) == 2
        let found = stride(from: 0, to: table.count / 16 * 16, by: 16).map { start in
            let offset = table.little(start + 12, 4)
            return IconEntry(
                width: Self.side(table[start]), height: Self.side(table[start + 1]),
                // In a cursor the place of its tip is there.
                bits: isCursor ? 0 : Self.bits(table, start),
                content: offset..<offset + table.little(start + 8, 4))
        }
        guard !found.isEmpty else {
            throw MediaError(.truncated, "The icon ends in its directory.")
        }
        // Of equal ones the first counts: the sort keeps the order by number.
        entries = found.enumerated().sorted { one, other in
            let (a, b) = (one.element, other.element)
            let (areaA, areaB) = (a.width * a.height, b.width * b.height)
            if areaA != areaB { return areaA > areaB }
            return a.bits == b.bits ? one.offset < other.offset : a.bits > b.bits
        }.map(\.element)
    }

    private static func side(_ byte: UInt8) -> Int { byte == 0 ? 256 : Int(byte) }

    private static func bits(_ table: [UInt8], _ start: Int) -> Int {
        let bits = table.little(start + 6, 2)
        guard bits == 0 else { return bits }
        let colors = Int(table[start + 2])
        return colors == 0 ? 0 : Int.bitWidth - (colors - 1).leadingZeroBitCount
    }
}
