internal import LazyMedia

/// The packets of a NUT file by their sizes ("NUT Open Container Format"), which lead to its end.
///
/// FFmpeg returns a packet that the file does not have whole without a word, and takes the name of a second file behind the
/// first for a packet.
struct NUTPackets {
    /// Whether the last packet ends behind the file.
    private(set) var areCut = false
    /// The offsets of the names of other files behind the first.
    private(set) var names: [Int] = []

    private var window: HeaderWindow
    private var codes: [Code] = []
    /// The sizes of what packets leave out at their beginnings.
    private var headers = [0]
    private var place = 0

    /// How a packet with a first byte begins.
    private struct Code {
        var flags: UInt64
        var (factor, size, reserved): (UInt64, UInt64, UInt64)
        var header: Int
    }

    private enum Flag {
        static let codedTime: UInt64 = 8, stream: UInt64 = 16, size: UInt64 = 32
        static let checksum: UInt64 = 64, reserved: UInt64 = 128, header: UInt64 = 1024
        static let matchTime: UInt64 = 2048, coded: UInt64 = 4096, invalid: UInt64 = 8192
    }

    static let name = Array("nut/multimedia container\0".utf8)
    private static let mainHeader = Array("NM".utf8)

    /// Goes from packet to packet; nil of other bytes, and where a packet is damaged nothing behind it is known.
    init?(_ bytes: any ByteSource, _ limits: DecodingLimits) throws(MediaError) {
        guard !bytes.isRemote, !bytes.isPartial else { return nil }
        window = HeaderWindow(bytes)
        let (opening, end) = (limits.opening, bytes.count)
        guard try isName() else { return nil }
        place = Self.name.count
        var packets = 0
        while place < end {
            packets += 1
            if packets & 0xFF == 0 { try opening.check() }
            let start = place
            let next: Int?
            if try isName() {
                names.append(place)
                next = place + Self.name.count
            } else if try window.number(at: place, count: 1) == UInt64(UInt8(ascii: "N")) {
                next = try header()
            } else {
                next = try packet()
            }
            guard let next, next > start else { return }
            // A number that the file does not have whole is read as zeros.
            areCut = next > end || place > end
            if areCut { return }
            place = next
        }
    }

    private mutating func isName() throws(MediaError) -> Bool {
        try window.read(at: place, count: Self.name.count).elementsEqual(Self.name)
    }

    /// A number in groups of seven bits, the highest first.
    private mutating func number() throws(MediaError) -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<10 {
            let byte = try window.number(at: place, count: 1)
            place += 1
            value = value << 7 | byte & 0x7F
            if byte & 0x80 == 0 { break }
        }
        return value
    }

    private func end(_ size: UInt64) -> Int? {
        Int(exactly: size).map { place.addingReportingOverflow($0) }.flatMap {
            $0.overflow ? nil : $0.partialValue
        }
    }

    /// Reads a header, of which the first one tells how packets begin; returns its end.
    private mutating func header() throws(MediaError) -> Int? {
        let isMain = try window.read(at: place, count: 2).elementsEqual(Self.mainHeader)
        place += 8
        let size = try number()
        if size > 4096 { place += 4 }
        guard let end = end(size) else { return nil }
        if isMain, size < 1 << 16 { try readCodes(to: end) }
        return end
    }

    private mutating func readCodes(to end: Int) throws(MediaError) {
        codes = []
        headers = [0]
        if try number() > 3 { _ = try number() }
        _ = (try number(), try number())
        for _ in 0..<min(try number(), 1 << 12) { _ = (try number(), try number()) }
        var code = Code(flags: 0, factor: 1, size: 0, reserved: 0, header: 0)
        while codes.count < 256, place < end {
            code.flags = try number()
            let fields = try number()
            if fields > 0 { _ = try number() }
            if fields > 1 { code.factor = try number() }
            if fields > 2 { _ = try number() }
            code.size = fields > 3 ? try number() : 0
            code.reserved = fields > 4 ? try number() : 0
            let count = fields > 5 ? try number() : code.factor &- code.size
            if fields > 6 { _ = try number() }
            if fields > 7 { code.header = Int(clamping: try number()) }
            for _ in 8..<max(8, min(fields, 1 << 8)) { _ = try number() }
            add(code, min(count, 256))
        }
        guard place + 4 < end else { return }
        for _ in 0..<min(try number(), 128) {
            let size = Int(clamping: try number())
            headers.append(size)
            place += min(size, 1024)
        }
    }

    private mutating func add(_ code: Code, _ count: UInt64) {
        var code = code
        var left = count
        while left > 0, codes.count < 256 {
            if codes.count == Int(UInt8(ascii: "N")) {
                codes.append(Code(flags: Flag.invalid, factor: 0, size: 0, reserved: 0, header: 0))
                continue
            }
            codes.append(code)
            code.size &+= 1
            left -= 1
        }
    }

    /// Reads the head of a packet; returns its end, or nil where there is none.
    private mutating func packet() throws(MediaError) -> Int? {
        let first = Int(try window.number(at: place, count: 1))
        guard codes.indices.contains(first) else { return nil }
        place += 1
        let code = codes[first]
        var (flags, size, reserved, header) = (code.flags, code.size, code.reserved, code.header)
        guard flags & Flag.invalid == 0 else { return nil }
        if flags & Flag.coded != 0 { flags ^= try number() }
        if flags & Flag.stream != 0 { _ = try number() }
        if flags & Flag.codedTime != 0 { _ = try number() }
        if flags & Flag.size != 0 { size &+= code.factor &* (try number()) }
        if flags & Flag.matchTime != 0 { _ = try number() }
        if flags & Flag.header != 0 { header = Int(clamping: try number()) }
        if flags & Flag.reserved != 0 { reserved = try number() }
        for _ in 0..<min(reserved, 256) { _ = try number() }
        guard headers.indices.contains(header) else { return nil }
        let left = size > 4096 ? 0 : UInt64(headers[header])
        guard size >= left else { return nil }
        if flags & Flag.checksum != 0 { place += 4 }
        return end(size - left)
    }
}
