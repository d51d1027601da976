internal import LazyMedia

/// One chunk of a RIFF file: a name, the number of its bytes, the bytes, and a byte of padding where
/// their number is odd (WebP container specification, "RIFF file format").
struct RIFFChunk: Hashable, Sendable {
    /// The eight bytes of name and size.
    static let headerLength = 8

    /// The four characters of its name.
    let name: RIFFName
    /// The offset of the name.
    let offset: Int
    /// The declared number of bytes.
    let declaredCount: Int
    /// The range of its bytes that are in the file.
    let content: Range<Int>

    /// Whether all its bytes are in the file; padding is not counted.
    var isWhole: Bool { content.count == declaredCount }
    /// The offset of the next chunk, after padding.
    var end: Int { offset + Self.headerLength + declaredCount + declaredCount % 2 }
}

/// The name of a chunk, four characters.
struct RIFFName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The characters as a little-endian number, as in a file.
    let number: UInt32

    init(_ number: UInt32) { self.number = number }

    init(stringLiteral name: String) {
        number = name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    var description: String {
        String(
            decoding: (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }, as: UTF8.self)
    }

    static let riff: RIFFName = "RIFF"
    static let webp: RIFFName = "WEBP"
    /// Flags and canvas of an extended file.
    static let extended: RIFFName = "VP8X"
    static let profile: RIFFName = "ICCP"
    /// Background and loop number.
    static let animation: RIFFName = "ANIM"
    /// One frame: 16 bytes and chunks of its own.
    static let frame: RIFFName = "ANMF"
    static let alpha: RIFFName = "ALPH"
    static let lossy: RIFFName = "VP8 "
    static let lossless: RIFFName = "VP8L"
    static let exif: RIFFName = "EXIF"
    static let metadata: RIFFName = "XMP "
}

/// Reads the headers of the chunks in a range of a file.
struct RIFFChunks {
    private let bytes: any ByteSource
    private var position: Int
    /// The end of the range, or of the bytes.
    let end: Int
    /// The declared end of the chunks.
    let declaredEnd: Int

    /// Reads the chunks between two offsets of a file.
    init(_ bytes: any ByteSource, in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = min(range.upperBound, bytes.count)
        declaredEnd = range.upperBound
    }

    /// Reads the chunks of a WebP file; nil where the file does not begin as one.
    ///
    /// Bytes after the declared size are ignored.
    init?(webp bytes: any ByteSource) throws(MediaError) {
        guard let head = try bytes.exactly(12, at: 0),
            RIFFName(head.little32(0)) == .riff, RIFFName(head.little32(8)) == .webp
        else { return nil }
        let size = Int(head.little32(4))
        self.init(bytes, in: 12..<max(12, 8 + size))
    }

    /// The next chunk, or nil where no complete header follows.
    mutating func next() throws(MediaError) -> RIFFChunk? {
        guard position + RIFFChunk.headerLength <= end,
            let head = try bytes.exactly(RIFFChunk.headerLength, at: position)
        else { return nil }
        let count = Int(head.little32(4))
        let start = position + RIFFChunk.headerLength
        let chunk = RIFFChunk(
            name: RIFFName(head.little32(0)), offset: position, declaredCount: count,
            content: start..<min(end, start + count))
        position = min(end, chunk.end)
        return chunk
    }
}

extension [UInt8] {
    /// The little-endian number of four bytes at an offset.
    func little32(_ offset: Int) -> UInt32 {
        UInt32(self[offset]) | UInt32(self[offset + 1]) << 8 | UInt32(self[offset + 2]) << 16
            | UInt32(self[offset + 3]) << 24
    }

    /// The little-endian number of three bytes at an offset.
    func little24(_ offset: Int) -> Int {
        Int(self[offset]) | Int(self[offset + 1]) << 8 | Int(self[offset + 2]) << 16
    }

    /// Appends the lowest bytes of a number, the lowest first.
    mutating func appendLittle(_ value: Int, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
