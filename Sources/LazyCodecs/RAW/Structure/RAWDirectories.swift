internal import LazyMedia

/// The directories of a TIFF, or of a camera's variant of it: those of the chain, and those below the pictures.
///
/// Reads no more than 64 directories with 1000 entries.
struct RAWDirectories {
    /// One directory.
    struct Directory {
        let offset: Int
        /// Where the offset of the next one is.
        fileprivate(set) var linkOffset = 0
        let isLittle: Bool
        /// Numbers by their tag; the first few of each.
        fileprivate(set) var numbers: [Int: [Int]] = [:]
        /// The file's range of a block of bytes.
        fileprivate(set) var blocks: [Int: Range<Int>] = [:]

        /// The first number of a tag.
        func number(_ tag: Int) -> Int? { numbers[tag]?.first }

        /// Whether it describes the samples of a sensor.
        var isSensor: Bool { [Tag.colorFilter, Tag.linear].contains(number(Tag.photometric)) }
    }

    /// The tags that are looked at (TIFF 6.0, TIFF/EP, DNG).
    enum Tag {
        static let subfile = 254, width = 256, height = 257, compression = 259, photometric = 262
        static let maker = 271, offsets = 273, orientation = 274, counts = 279, tileOffsets = 324
        static let below = 330, jpegOffset = 513, jpegLength = 514, dngVersion = 50706
        /// Panasonic's JPEG.
        static let panasonic = 0x2E
        /// Values of `photometric`.
        static let colorFilter = 32803, linear = 34892
    }

    private(set) var all: [Directory] = []
    private(set) var maker = ""
    private(set) var isDNG = false
    private let head: [UInt8]
    private let isLittle: Bool
    private static let maxDirectories = 64
    private static let maxEntries = 1000

    /// Reads the directories; there are none in other files.
    init(_ bytes: any ByteSource) throws(MediaError) {
        head = try bytes.bytes(16, at: 0)
        isLittle = head.starts(with: "II".utf8)
        guard isLittle || head.starts(with: "MM".utf8), head.count == 16 else { return }
        try read(bytes, start: 0)
    }

    /// Reads a TIFF structure that is a part of a file.
    init(_ bytes: any ByteSource, at start: Int) throws(MediaError) {
        head = try bytes.bytes(16, at: start)
        isLittle = head.starts(with: "II".utf8)
        guard isLittle || head.starts(with: "MM".utf8), head.count == 16 else { return }
        try read(bytes, start: start)
    }

    private mutating func read(_ bytes: any ByteSource, start: Int) throws(MediaError) {
        var waiting = [start + number(head[4..<8])]
        var seen: Set<Int> = []
        while let offset = waiting.popLast(), all.count < Self.maxDirectories {
            guard offset > start, seen.insert(offset).inserted,
                let (directory, next) = try directory(bytes, at: offset, start: start)
            else { continue }
            all.append(directory)
            waiting += (directory.numbers[Tag.below] ?? []).map { start + $0 } + [start + next]
        }
    }

    /// Whether the file is that of a camera, by a page of sensor samples, a mark, or a first page that is none.
    var isRAW: Bool {
        guard let first = all.first else { return false }
        if isDNG || head[8..<12].starts(with: "CR".utf8) || head[8..<12].elementsEqual("IIII".utf8)
            || head[8..<12].elementsEqual("MMMM".utf8) || all.contains(where: \.isSensor)
        {
            return true
        }
        let isSmall = first.number(Tag.subfile) == 1 && first.numbers[Tag.below] != nil
        return !maker.isEmpty && (isSmall || first.number(Tag.width) == nil)
    }

    /// The tag of how pictures are turned, of the first directory that has it.
    var orientation: Int { all.lazy.compactMap { $0.number(Tag.orientation) }.first ?? 1 }

    private mutating func directory(
        _ bytes: any ByteSource, at offset: Int, start: Int
    ) throws(MediaError) -> (Directory, next: Int)? {
        let size = try bytes.bytes(2, at: offset)
        guard size.count == 2, case let count = number(size[...]), count <= Self.maxEntries else {
            return nil
        }
        let entries = try bytes.bytes(count * 12 + 4, at: offset + 2)
        var directory = Directory(offset: offset, isLittle: isLittle)
        directory.linkOffset = offset + 2 + count * 12
        for place in stride(from: 0, to: min(entries.count, count * 12) - 11, by: 12) {
            try read(entries[place..<place + 12], bytes, start: start, into: &directory)
        }
        let link = entries.dropFirst(count * 12)
        return (directory, link.count == 4 ? number(link) : 0)
    }

    private mutating func read(
        _ entry: ArraySlice<UInt8>, _ bytes: any ByteSource, start: Int,
        into directory: inout Directory
    ) throws(MediaError) {
        let first = entry.startIndex
        let tag = number(entry[first..<first + 2])
        let count = number(entry[first + 4..<first + 8])
        let length = [1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 13: 4][number(entry[first + 2..<first + 4])]
        guard let length, count > 0 else { return }
        let offset = start + number(entry[first + 8..<first + 12])
        if length == 1, count > 4 { directory.blocks[tag] = offset..<offset + count }
        guard length > 1 || [Tag.maker, Tag.dngVersion].contains(tag) else { return }
        let wanted = min(count, length == 1 ? 32 : 8) * length
        let content =
            count * length <= 4
            ? Array(entry[(first + 8)...].prefix(wanted)) : try bytes.bytes(wanted, at: offset)
        if tag == Tag.dngVersion { isDNG = true }
        if length == 1 {
            if tag == Tag.maker, maker.isEmpty {
                maker = String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
            }
            return
        }
        directory.numbers[tag] = stride(from: 0, to: content.count - length + 1, by: length).map {
            number(content[$0..<$0 + length])
        }
        // That there are more is told by their number.
        if count > 8 { directory.numbers[tag]?.append(contentsOf: [0]) }
    }

    private func number(_ digits: ArraySlice<UInt8>) -> Int {
        isLittle
            ? digits.reversed().reduce(0) { $0 << 8 | Int($1) }
            : digits.reduce(0) { $0 << 8 | Int($1) }
    }
}
