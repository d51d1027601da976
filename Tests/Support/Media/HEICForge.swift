/// Puts HEIF files together byte by byte (ISO/IEC 23008-12): items, where they lie, how they relate.
public struct HEICForge: Sendable {
    /// One item.
    public struct Item: Sendable {
        /// Its number.
        public var id: Int
        /// Its type, such as `hvc1` or `grid`.
        public var kind: String
        /// Its data.
        public var data: [UInt8]
        /// Whole boxes.
        public var properties: [[UInt8]]
        /// Whether the data lies in `idat`, inside of the tables.
        public var isInTables: Bool
        /// The number of extents that the data is cut into.
        public var pieces: Int

        /// Describes an item.
        public init(
            _ id: Int, _ kind: String, _ data: [UInt8], _ properties: [[UInt8]],
            isInTables: Bool = false, pieces: Int = 1
        ) {
            (self.id, self.kind, self.data, self.properties) = (id, kind, data, properties)
            (self.isInTables, self.pieces) = (isInTables, pieces)
        }
    }

    /// The brands, the major one first.
    public var brands = ["heic", "mif1"]
    /// The item that is shown.
    public var primary = 1
    /// All items.
    public var items: [Item] = []
    /// Type, source and targets.
    public var references: [(kind: String, from: Int, to: [Int])] = []
    /// The version of `iloc`: 0, 1 or 2; 0 has no data in the tables.
    public var locationVersion = 1
    /// Whole boxes behind the tables of items, such as `grpl`.
    public var others: [[UInt8]] = []

    /// Makes a file without items.
    public init() {}

    /// Adds an item.
    public mutating func add(
        _ id: Int, _ kind: String, _ data: [UInt8], _ properties: [[UInt8]],
        isInTables: Bool = false, pieces: Int = 1
    ) {
        items.append(
            Item(id, kind, data, properties, isInTables: isInTables, pieces: pieces))
    }

    /// Adds a reference.
    public mutating func refer(_ kind: String, from: Int, to: [Int]) {
        references.append((kind, from, to))
    }

    /// The file.
    public var bytes: [UInt8] {
        let brand = Self.box(
            "ftyp", Array(brands[0].utf8) + Self.number(0, 4) + brands.flatMap { Array($0.utf8) })
        // Offsets have four bytes, so that the size of the tables does not depend on them.
        let start = brand.count + tables(dataAt: 0).count + 8
        return brand + tables(dataAt: start)
            + Self.box("mdat", items.filter { !$0.isInTables }.flatMap(\.data))
    }

    private func tables(dataAt start: Int) -> [UInt8] {
        let handler = Self.full("hdlr", Self.number(0, 4) + Array("pict".utf8) + Self.number(0, 13))
        let shown = Self.full("pitm", Self.number(primary, 2))
        let entries = items.flatMap { item in
            Self.full(
                // Only the one that is shown is not hidden.
                "infe", version: 2, flags: item.id == primary ? 0 : 1,
                Self.number(item.id, 2) + Self.number(0, 2) + Array(item.kind.utf8) + [0]
                    + (item.kind == "mime" ? Array("application/rdf+xml\0".utf8) : []))
        }
        let list = Self.full("iinf", Self.number(items.count, 2) + entries)
        let related = references.flatMap { reference in
            Self.box(
                reference.kind,
                Self.number(reference.from, 2) + Self.number(reference.to.count, 2)
                    + reference.to.flatMap { Self.number($0, 2) })
        }
        let inside = Self.box("idat", items.filter(\.isInTables).flatMap(\.data))
        let content = [
            handler, shown, locations(dataAt: start), list, properties,
            references.isEmpty ? [] : Self.full("iref", related), inside, others.flatMap { $0 },
        ]
        return Self.full("meta", content.flatMap { $0 })
    }

    private func locations(dataAt start: Int) -> [UInt8] {
        var offsets = (file: start, tables: 0)
        var entries: [UInt8] = []
        let width = locationVersion == 2 ? 4 : 2
        for item in items {
            entries += Self.number(item.id, width)
            if locationVersion > 0 { entries += Self.number(item.isInTables ? 1 : 0, 2) }
            entries += Self.number(0, 2) + Self.number(item.pieces, 2)
            var place = item.isInTables ? offsets.tables : offsets.file
            var rest = item.data.count
            for piece in (1...max(1, item.pieces)).reversed().prefix(item.pieces) {
                let length = rest / piece
                entries += Self.number(place, 4) + Self.number(length, 4)
                place += length
                rest -= length
            }
            if item.isInTables { offsets.tables = place } else { offsets.file = place }
        }
        return Self.full(
            "iloc", version: locationVersion,
            [0x44, 0x00] + Self.number(items.count, width) + entries)
    }

    /// All properties, each once, and which item has which.
    private var properties: [UInt8] {
        var all: [[UInt8]] = []
        var entries: [UInt8] = []
        for item in items {
            entries += Self.number(item.id, 2) + [UInt8(item.properties.count)]
            for property in item.properties {
                let known = all.firstIndex(of: property)
                if known == nil { all.append(property) }
                entries.append(UInt8((known ?? all.count - 1) + 1))
            }
        }
        return Self.box(
            "iprp",
            Self.box("ipco", all.flatMap { $0 })
                + Self.full("ipma", Self.number(items.count, 4) + entries))
    }

    // MARK: - Boxes

    /// A box of a type.
    public static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        HostileForge.box(type, content)
    }

    /// A box with a version and flags.
    public static func full(
        _ type: String, version: Int = 0, flags: Int = 0, _ content: [UInt8]
    ) -> [UInt8] {
        box(type, number(version << 24 | flags, 4) + content)
    }

    /// A number of some bytes, the highest first.
    public static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }

    /// `ispe`: the size of a picture.
    public static func size(_ width: Int, _ height: Int) -> [UInt8] {
        full("ispe", number(width, 4) + number(height, 4))
    }

    /// `irot`: quarter turns counterclockwise.
    public static func rotation(_ turns: Int) -> [UInt8] { box("irot", [UInt8(turns)]) }

    /// `imir`: 0 exchanges top and bottom, 1 left and right.
    public static func mirror(_ mode: Int) -> [UInt8] { box("imir", [UInt8(mode)]) }

    /// `clap`: eight numbers that are four fractions.
    public static func aperture(_ numbers: [Int]) -> [UInt8] {
        box("clap", numbers.flatMap { number($0, 4) })
    }

    /// `auxC` of alpha.
    public static let alpha = full(
        "auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8) + [0])

    /// `colr` with code points.
    public static func colors(
        _ primaries: Int, _ transfer: Int, _ matrix: Int, isFullRange: Bool
    ) -> [UInt8] {
        box(
            "colr",
            Array("nclx".utf8) + number(primaries, 2) + number(transfer, 2) + number(matrix, 2)
                + [isFullRange ? 0x80 : 0])
    }

    /// The data of a grid.
    public static func grid(
        columns: Int, rows: Int, width: Int, height: Int, isLarge: Bool = false
    ) -> [UInt8] {
        let bytes = isLarge ? 4 : 2
        return [0, isLarge ? 1 : 0, UInt8(rows - 1), UInt8(columns - 1)] + number(width, bytes)
            + number(height, bytes)
    }

    /// The data of an overlay; the background has four numbers of 16 bits.
    public static func overlay(
        background: [Int], width: Int, height: Int, offsets: [(Int, Int)]
    ) -> [UInt8] {
        [0, 0] + background.flatMap { number($0, 2) } + number(width, 2) + number(height, 2)
            + offsets.flatMap { number($0.0, 2) + number($0.1, 2) }
    }
}
