internal import LazyMedia

/// Checks the boxes of an AVIF before libavif reads them, which takes memory and time for each.
struct AVIFTables {
    private let bytes: any ByteSource
    private let limits: DecodingLimits
    private let opening: OpeningTime
    /// The offset of the box that is walked through.
    private var start = 0
    private var boxes = 0
    private var tracks = 0
    private var lookups = 0
    // Of the current track.
    private var (chunks, runs) = (0, 0)
    /// The first property or sample description of the content's light, which libavif does not read.
    private(set) var contentLight: ContentLight?
    /// The first one of the mastering display.
    private(set) var masteringDisplay: MasteringDisplay?
    /// What takes the place of references to no item and of the flags of several tables of associations, which libavif
    /// refuses and browsers read, and of sizes of items that are larger than the file.
    private(set) var replaced: [ReplacedWord] = []
    /// Whether a box ends behind the file.
    private(set) var isCut = false
    /// The versions and flags of these tables.
    private var associations: Set<UInt32> = []

    /// Throws where there are more boxes, tracks or items than a picture can need.
    static func check(
        _ bytes: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) -> AVIFTables {
        var tables = AVIFTables(bytes: bytes, limits: limits, opening: limits.opening)
        var offset = 0
        while let box = try ISOBoxHeader(bytes, at: offset) {
            try tables.count()
            switch box.kind {
            case ISOBox.kind("moov"), ISOBox.kind("meta"):
                // libavif and this check both hold all of it.
                try limits.check(memory: box.length * 3)
                let content = try bytes.bytes(box.length, at: offset)
                tables.start = offset
                let head = box.headerSize + (box.kind == ISOBox.kind("meta") ? 4 : 0)
                if head <= content.count { try tables.walk(content, head..<content.count, 0) }
            case ISOBox.kind("mini"):
                throw MediaError(
                    .unsupported, "The AVIF has minimized tables (mini), which are not read.")
            default: break
            }
            offset += box.length
        }
        if !bytes.isPartial { tables.isCut = try isCut(bytes, at: offset) }
        return tables
    }

    /// Whether a box of data or tables begins, and ends behind the file.
    private static func isCut(
        _ bytes: any ByteSource, at offset: Int
    ) throws(MediaError) -> Bool {
        let room = bytes.count - offset
        guard room >= 8,
            let box = ISOBoxHeader(try bytes.bytes(min(16, room), at: offset), room: room)
        else { return false }
        return box.length > room && ["mdat", "moov", "meta"].map(ISOBox.kind).contains(box.kind)
    }

    private init(bytes: any ByteSource, limits: DecodingLimits, opening: OpeningTime) {
        self.bytes = bytes
        self.limits = limits
        self.opening = opening
    }

    private static let most = 65_536
    private static let maxItemBytes = 1 << 17
    /// libavif searches all items for each number of an item, and adds those that are missing.
    private static let maxLookups = 20_000
    /// libavif searches the runs of `stsc` for each chunk.
    private static let maxChunkSteps = 1 << 27

    private mutating func count() throws(MediaError) {
        boxes += 1
        if boxes & 0xFF == 0 { try opening.check() }
        guard boxes <= Self.most else {
            throw MediaError(.malformed, "The AVIF has more than \(Self.most) boxes.")
        }
    }

    private mutating func walk(
        _ file: [UInt8], _ range: Range<Int>, _ depth: Int
    ) throws(MediaError) {
        var offset = range.lowerBound
        while let box = ISOBox(file, at: offset, end: range.upperBound) {
            try count()
            switch box.kind {
            case ISOBox.kind("trak"):
                tracks += 1
                let outer = (chunks, runs)
                (chunks, runs) = (0, 0)
                try limits.check(tracks: tracks)
                try walk(file, box.content, depth + 1)
                (chunks, runs) = outer
            case ISOBox.kind("mdia"), ISOBox.kind("minf"), ISOBox.kind("stbl"),
                ISOBox.kind("edts"), ISOBox.kind("udta"), ISOBox.kind("iprp"),
                ISOBox.kind("ipco"):
                if depth < 8 { try walk(file, box.content, depth + 1) }
            case ISOBox.kind("iinf"), ISOBox.kind("iloc"), ISOBox.kind("ipma"),
                ISOBox.kind("iref"):
                guard box.content.count <= Self.maxItemBytes else {
                    throw Self.tooManyItems
                }
                if box.kind == ISOBox.kind("ipma") { tellApart(box, in: file) }
                if box.kind == ISOBox.kind("iref") {
                    replaced += ReplacedWord.references(in: file, box).map { $0.moved(by: start) }
                }
                try countItems(in: box, file)
                if box.kind == ISOBox.kind("iloc") {
                    replaced += ReplacedWord.sizes(in: file, box, ofFile: bytes.count).map {
                        $0.moved(by: start)
                    }
                }
            case ISOBox.kind("stsc"), ISOBox.kind("stco"), ISOBox.kind("co64"):
                try countChunks(in: box, file)
            case ISOBox.kind("stsd") where depth < 8:
                try walk(file, box.content.dropFirst(8), depth + 1)
            case ISOBox.kind("av01") where depth < 8 && box.content.count > 78:
                try walk(file, box.content.dropFirst(78), depth + 1)
            case ISOBox.kind("clli"):
                contentLight = contentLight ?? ContentLight(file, box)
            case ISOBox.kind("mdcv"):
                masteringDisplay = masteringDisplay ?? MasteringDisplay(file, box)
            case ISOBox.kind("stsz"):
                try limits.check(
                    entries: Int(file.bigEndian32(at: box.content.lowerBound + 8)))
            default: break
            }
            offset = box.range.upperBound
        }
    }

    private static let tooManyItems = MediaError(.malformed, "The AVIF has too many items.")

    /// Counts the numbers of items that a table names.
    private mutating func countItems(in box: ISOBox, _ file: [UInt8]) throws(MediaError) {
        let content = box.content
        let word = { (offset: Int) in Int(file.bigEndian32(at: content.lowerBound + offset)) }
        let version = word(0) >> 24
        switch box.kind {
        case ISOBox.kind("iloc"): lookups += version < 2 ? word(6) >> 16 : word(6)
        case ISOBox.kind("ipma"): lookups += word(4)
        case ISOBox.kind("iinf"):
            lookups += ISOBox.boxes(file, in: content.dropFirst(version == 0 ? 6 : 8)).count
        default:
            for reference in ISOBox.boxes(file, in: content.dropFirst(4)) {
                let place = reference.content.lowerBound + (version == 0 ? 0 : 2)
                lookups += 1 + Int(file.bigEndian32(at: place) & 0xFFFF)
            }
        }
        guard lookups <= Self.maxLookups else { throw Self.tooManyItems }
    }

    private mutating func countChunks(in box: ISOBox, _ file: [UInt8]) throws(MediaError) {
        let width = box.kind == ISOBox.kind("stsc") ? 12 : box.kind == ISOBox.kind("stco") ? 4 : 8
        let count = Int(file.bigEndian32(at: box.content.lowerBound + 4))
        let entries = min(count, box.content.count / width)
        if width == 12 { runs += entries } else { chunks += entries }
        guard chunks * runs <= Self.maxChunkSteps else {
            throw MediaError(.malformed, "The AVIF has too many runs of chunks.")
        }
    }

    /// Gives a table of associations flags that no other one has; only the lowest flag has a meaning.
    private mutating func tellApart(_ table: ISOBox, in file: [UInt8]) {
        // libavif reads four of them.
        guard table.content.count >= 4, associations.count < 4 else { return }
        let word = file.bigEndian32(at: table.content.lowerBound)
        var unique = word
        while !associations.insert(unique).inserted { unique += 2 }
        guard unique != word else { return }
        replaced.append(
            ReplacedWord(offset: start + table.content.lowerBound, word: unique))
    }
}
