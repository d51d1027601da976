internal import LazyMedia

/// Whether a file is several files of one container, one behind the other (`cat a.webm b.webm`).
///
/// Recorders that split, and programs that upload parts, leave such files. FFmpeg reads the packets of all parts, each of
/// which counts its times from its own start.
enum JoinedFile {
    /// What is known without reading packets.
    case no, possible, certain

    /// Looks at the beginning of a file, and behind the end of its first part.
    init(_ bytes: any ByteSource, format: String) throws(MediaError) {
        switch format {
        case "matroska" where bytes is JoinedParts: self = .certain
        case "matroska":
            guard let segment = try MatroskaSegment(bytes) else {
                self = .no
                return
            }
            guard let end = segment.end else {
                self = .possible
                return
            }
            self = try MatroskaSegment.begins(bytes, at: end) ? .certain : .no
        // Tags follow each other to the end; a second header is between two of them.
        case "flv": self = .possible
        case "nut": self = bytes is JoinedParts ? .certain : .no
        case "mov":
            guard let movie = bytes as? MovieBytes, case .certain = try JoinedMovie(movie) else {
                self = .no
                return
            }
            self = .certain
        default: self = .no
        }
    }
}

/// Where the first segment of a Matroska file lies (RFC 8794, RFC 9559).
struct MatroskaSegment {
    /// The offset of its elements.
    let content: Int
    /// Where its size is written.
    var sizePlace: Range<Int> { content - sizeLength..<content }
    private let sizeLength: Int
    /// Its size in bytes by its header; nil where that does not say, so that it ends anywhere (RFC 8794, 6.2).
    let size: UInt64?

    /// Where the segment ends by its header, if that is within what an offset can be.
    var end: Int? {
        size.flatMap { Int(exactly: $0) }.map { content.addingReportingOverflow($0) }
            .flatMap { $0.overflow ? nil : $0.partialValue }
    }

    private static let head: UInt32 = 0x1A45_DFA3
    private static let segment: UInt32 = 0x1853_8067

    /// Reads the beginning of a file; nil where that is another.
    init?(_ bytes: any ByteSource) throws(MediaError) {
        let head = try bytes.bytes(min(4096, bytes.count), at: 0)
        guard let header = Self.element(head, at: 0), header.name == Self.head,
            let size = header.size, let start = Int(exactly: size).map({ header.content + $0 }),
            let segment = Self.element(head, at: start), segment.name == Self.segment
        else { return nil }
        (content, self.size) = (segment.content, segment.size)
        sizeLength = segment.content - start - 4
    }

    /// Whether another file begins at an offset.
    static func begins(_ bytes: any ByteSource, at place: Int) throws(MediaError) -> Bool {
        guard place > 0, place < bytes.count - 8 else { return false }
        return try bytes.bytes(4, at: place).bigEndian32(at: 0) == head
    }

    private static func element(
        _ bytes: [UInt8], at place: Int
    ) -> (name: UInt32, size: UInt64?, content: Int)? {
        guard place >= 0, place + 5 <= bytes.count else { return nil }
        let width = bytes[place + 4].leadingZeroBitCount + 1
        let content = place + 4 + width
        guard width <= 8, content <= bytes.count else { return nil }
        let number = bytes[place + 4..<content].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let mask = (UInt64(1) << (7 * width)) - 1
        let size = number & mask
        return (bytes.bigEndian32(at: place), size == mask ? nil : size, content)
    }
}
