internal import LazyMedia

/// The items of a HEIF file (ISO/IEC 14496-12, 8.11): what they are, where they lie, how they relate.
///
/// Everything is counted before memory is taken for it.
struct HEIFItems: Sendable {
    /// The item that the file shows.
    private(set) var primary: UInt32 = 0
    private(set) var items: [UInt32: HEIFItem] = [:]
    private(set) var references = HEIFReferences()
    /// All properties; items name them by number.
    private(set) var properties: [ItemProperty] = []
    /// The content of `idat` in the file.
    private(set) var itemData = 0..<0
    /// The content of `mpvd`, the film of a motion photo, which may end behind the file.
    private(set) var film: Range<Int>?

    /// The most bytes of one table.
    private static let maxTableBytes = 4 << 20
    private static let maxItems = 1 << 16
    private static let maxExtents = 1 << 17
    // As in libheif; each tile that shows an item reads all of its extents.
    private static let maxExtentsOfItem = 32
    // Associations have 15 bits for the number of a property.
    private static let maxProperties = 1 << 15

    /// Reads the tables of the first `meta` box.
    ///
    /// Declines where there is none: a file may have tracks only.
    init(_ bytes: any ByteSource, _ limits: DecodingLimits) throws(MediaError) {
        let opening = limits.opening
        guard let meta = try Self.find("meta", bytes, 0..<bytes.count, opening) else {
            guard !bytes.isPartial else {
                throw MediaError(.truncated, "The HEIC ends before its tables.")
            }
            guard try Self.find("mini", bytes, 0..<bytes.count, opening) == nil else {
                throw MediaError(
                    .unsupported, "The HEIC has minimized tables (mini), which are not read.")
            }
            throw .declined("The file has no items of pictures.")
        }
        guard meta.upperBound <= bytes.count, meta.count >= 4 else {
            throw MediaError(.truncated, "The HEIC ends within its tables.")
        }
        var offset = meta.lowerBound + 4
        var hasPrimary = false
        var associations: [[UInt8]] = []
        var spent = 0
        while let box = try ISOBoxHeader(bytes, at: offset, end: meta.upperBound) {
            let content = offset + box.headerSize..<offset + box.length
            offset = content.upperBound
            try opening.check()
            guard Self.tables.contains(box.kind) else {
                if box.kind == ISOBox.kind("idat") { itemData = content }
                continue
            }
            guard content.count <= Self.maxTableBytes else { throw .heic("has too many items") }
            spent += content.count
            // The bytes and what is made of them.
            try limits.check(memory: spent * 8)
            let table = try bytes.bytes(content.count, at: content.lowerBound)
            guard table.count == content.count else {
                throw MediaError(.truncated, "The HEIC ends within its tables.")
            }
            switch box.kind {
            case ISOBox.kind("pitm"):
                var fields = BoxFields(table)
                primary = UInt32(try fields.int(try fields.version().version == 0 ? 2 : 4))
                hasPrimary = true
            case ISOBox.kind("iinf"): try readItems(table)
            case ISOBox.kind("iloc"): try readLocations(table)
            case ISOBox.kind("iref"): try references.read(table)
            default: associations += try readProperties(table)
            }
        }
        let alpha = Set(properties.indices.filter { properties[$0].isAlpha }.map { $0 + 1 })
        for table in associations { try associate(table, alpha) }
        if !bytes.isPartial { film = try Self.find("mpvd", bytes, 0..<bytes.count, opening) }
        guard hasPrimary, items[primary]?.kind ?? 0 != 0 else {
            throw .declined("The file has no primary item that is a picture.")
        }
    }

    private static let tables = [
        ISOBox.kind("pitm"), ISOBox.kind("iinf"), ISOBox.kind("iloc"), ISOBox.kind("iref"),
        ISOBox.kind("iprp"),
    ]

    /// The content of the first box of a type in a range of the file, which may end behind the file.
    static func find(
        _ kind: StaticString, _ bytes: any ByteSource, _ range: Range<Int>, _ opening: OpeningTime
    ) throws(MediaError) -> Range<Int>? {
        var offset = range.lowerBound
        for _ in 0..<4096 {
            let head = try bytes.bytes(min(16, range.upperBound - offset), at: offset)
            guard let box = ISOBoxHeader(head, room: range.upperBound - offset) else { return nil }
            guard box.length <= Int.max - offset else { return nil }
            if box.kind == ISOBox.kind(kind) {
                return offset + box.headerSize..<offset + box.length
            }
            guard box.length <= range.upperBound - offset else { return nil }
            offset += box.length
            try opening.check()
        }
        return nil
    }

    private mutating func readItems(_ table: [UInt8]) throws(MediaError) {
        var fields = BoxFields(table)
        _ = try fields.int(try fields.version().version == 0 ? 2 : 4)
        for box in ISOBox.boxes(table, in: fields.rest) where box.kind == ISOBox.kind("infe") {
            var entry = BoxFields(table, box.content)
            let version = try entry.version().version
            // Older versions have no types of items.
            guard version == 2 || version == 3 else { continue }
            let id = UInt32(try entry.int(version == 2 ? 2 : 4))
            let protection = try entry.int(2)
            guard items.count < Self.maxItems else { throw .heic("has too many items") }
            items[id, default: HEIFItem()].kind = UInt32(try entry.int(4))
            items[id]?.isProtected = protection != 0
            guard items[id]?.kind == ISOBox.kind("mime") else { continue }
            _ = entry.text()
            items[id]?.isXMP = entry.text() == "application/rdf+xml"
        }
    }

    private mutating func readLocations(_ table: [UInt8]) throws(MediaError) {
        var fields = BoxFields(table)
        let version = try fields.version().version
        guard version <= 2 else { throw .heic("has a table of items of an unknown version") }
        let sizes = try fields.int(2)
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version > 0 ? sizes & 15 : 0)
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) })
        else { throw .heic("has a table of items with numbers of an unknown size") }
        let count = try fields.int(version < 2 ? 2 : 4)
        guard count <= Self.maxItems else { throw .heic("has too many items") }
        var extents = 0
        for _ in 0..<count {
            let id = UInt32(try fields.int(version < 2 ? 2 : 4))
            let method = version > 0 ? try fields.int(2) & 15 : 0
            let reference = try fields.int(2)
            let base = try fields.number(baseSize)
            let number = try fields.int(2)
            extents += number
            guard extents <= Self.maxExtents, number <= Self.maxExtentsOfItem else {
                throw .heic("has too many extents")
            }
            var item = items[id, default: HEIFItem()]
            item.place =
                reference != 0 ? .other : method == 0 ? .file : method == 1 ? .itemData : .other
            item.extents = []
            for _ in 0..<number {
                _ = try fields.number(indexSize)
                let (offset, isTooFar) = base.addingReportingOverflow(
                    try fields.number(offsetSize))
                let length = try fields.number(lengthSize)
                guard !isTooFar else { throw .heic("has an item at an impossible offset") }
                item.extents.append(.init(offset: offset, length: length))
            }
            guard items.count < Self.maxItems else { throw .heic("has too many items") }
            items[id] = item
        }
    }

    /// Reads the properties, and returns the tables that associate them with items.
    private mutating func readProperties(_ table: [UInt8]) throws(MediaError) -> [[UInt8]] {
        var associations: [[UInt8]] = []
        for box in ISOBox.boxes(table, in: table.indices) {
            switch box.kind {
            case ISOBox.kind("ipco"):
                var offset = box.content.lowerBound
                while let property = ISOBox(table, at: offset, end: box.content.upperBound) {
                    guard properties.count < Self.maxProperties else {
                        throw .heic("has too many properties")
                    }
                    properties.append(ItemProperty(table, property))
                    offset = property.range.upperBound
                }
            case ISOBox.kind("ipma"): associations.append(Array(table[box.content]))
            default: break
            }
        }
        return associations
    }

    /// Reads which items have which properties, some of which say that samples are alpha.
    private mutating func associate(
        _ table: [UInt8], _ alpha: Set<Int>
    ) throws(MediaError) {
        var fields = BoxFields(table)
        let (version, flags) = try fields.version()
        let count = try fields.int(4)
        for _ in 0..<count {
            let id = UInt32(try fields.int(version < 1 ? 2 : 4))
            let number = try fields.int(1)
            var numbers: [Int] = []
            for _ in 0..<number {
                numbers.append(
                    flags & 1 == 1 ? try fields.int(2) & 0x7FFF : try fields.int(1) & 0x7F)
            }
            if !alpha.isDisjoint(with: numbers) { items[id]?.isAlpha = true }
            items[id]?.properties += numbers
            guard items[id].map({ $0.properties.count <= 1024 }) ?? true else {
                throw .heic("has an item of too many properties")
            }
        }
    }
}

extension HEIFItems {
    /// The properties of an item in their order.
    func properties(of item: HEIFItem) -> [ItemProperty] {
        item.properties.filter { $0 >= 1 && $0 <= properties.count }.map { properties[$0 - 1] }
    }

    /// The first item of XMP, by number.
    var xmp: HEIFItem? { items.filter(\.value.isXMP).min { $0.key < $1.key }?.value }
}

extension ISOBoxHeader {
    /// Reads the header of a box that ends at or before `end`; nil where no whole box begins.
    init?(_ bytes: any ByteSource, at offset: Int, end: Int) throws(MediaError) {
        let room = end - offset
        self.init(try bytes.bytes(min(16, room), at: offset), room: room)
        guard length <= room else { return nil }
    }
}
