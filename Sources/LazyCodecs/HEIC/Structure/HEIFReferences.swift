internal import LazyMedia

/// Which items refer to which (ISO/IEC 14496-12, 8.11.12).
///
/// References are filed by type and item, so that finding those of an item costs as many steps as
/// it has.
struct HEIFReferences: Sendable {
    private struct Key: Hashable {
        let kind: UInt32
        let item: UInt32
    }

    private var targets: [Key: [UInt32]] = [:]
    private var sources: [Key: [UInt32]] = [:]

    private static let most = 1 << 18

    /// Adds those of an `iref` box.
    mutating func read(_ table: [UInt8]) throws(MediaError) {
        var fields = BoxFields(table)
        let width = try fields.version().version == 0 ? 2 : 4
        var count = 0
        for box in ISOBox.boxes(table, in: fields.rest) {
            var entry = BoxFields(table, box.content)
            let source = UInt32(try entry.int(width))
            let number = try entry.int(2)
            count += number + 1
            guard count <= Self.most else { throw .heic("has too many references") }
            guard number * width <= entry.count else { throw .shortBox }
            var items: [UInt32] = []
            for _ in 0..<number { items.append(UInt32(try entry.int(width))) }
            targets[Key(kind: box.kind, item: source), default: []] += items
            // What one reference names twice is found once.
            for item in Set(items) {
                sources[Key(kind: box.kind, item: item), default: []].append(source)
            }
        }
    }

    /// The items that an item refers to.
    func targets(_ kind: StaticString, of source: UInt32) -> [UInt32] {
        targets[Key(kind: ISOBox.kind(kind), item: source), default: []]
    }

    /// The items that refer to an item, whatever else they refer to.
    func sources(_ kind: StaticString, of target: UInt32) -> [UInt32] {
        sources[Key(kind: ISOBox.kind(kind), item: target), default: []]
    }
}
