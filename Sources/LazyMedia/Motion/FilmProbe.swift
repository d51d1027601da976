/// A movie file within another file: whether it is one, where it ends, how long it takes.
struct FilmProbe {
    let range: Range<Int>
    let type: MediaType
    let duration: Duration?

    private static let sniffer = MediaSniffer(
        MediaFormat.codecFree.filter { ["mp4", "mov"].contains($0.name) }.flatMap(\.signatures))
    private static let maxBoxes = 512

    /// Reads the headers of the boxes of a range; nil where no movie begins there.
    init?(_ bytes: any ByteSource, _ range: Range<Int>) throws(MediaError) {
        guard range.lowerBound > 0, range.upperBound <= bytes.count,
            let first = try ISOBoxHeader(bytes, in: range),
            first.kind == ISOBox.kind("ftyp"), first.length <= min(4096, range.count)
        else { return nil }
        let slice = ByteSlice(bytes, range.lowerBound..<range.lowerBound + first.length)
        type = try Self.sniffer.type(of: slice)
        guard type.family == .video else { return nil }
        var duration: Duration?
        var end = range.lowerBound + first.length
        for _ in 0..<Self.maxBoxes {
            guard let box = try ISOBoxHeader(bytes, in: end..<range.upperBound), box.isNamed else {
                break
            }
            // A film may be cut off; what is there of it is kept.
            let whole = end..<end + min(box.length, range.upperBound - end)
            if box.kind == ISOBox.kind("moov") {
                duration = try Self.duration(bytes, whole, box.headerSize)
            }
            end = whole.upperBound
        }
        self.duration = duration
        self.range = range.lowerBound..<end
    }

    /// The length that `mvhd` tells (ISO/IEC 14496-12, 8.2.2); it is the first box in `moov`.
    private static func duration(
        _ bytes: any ByteSource, _ movie: Range<Int>, _ header: Int
    ) throws(MediaError) -> Duration? {
        let start = movie.lowerBound + header
        guard start <= movie.upperBound else { return nil }
        let head = try bytes.bytes(min(40, movie.upperBound - start), at: start)
        guard head.count == 40, head.bigEndian32(at: 4) == ISOBox.kind("mvhd") else { return nil }
        let isLong = head[8] == 1
        let scale = head.bigEndian32(at: isLong ? 28 : 20)
        let ticks = isLong ? head.bigEndian64(at: 32) : UInt64(head.bigEndian32(at: 24))
        // All ones mean that it is unknown; fragments have 0.
        guard scale > 0, ticks > 0, ticks < (isLong ? 1 << 40 : UInt64(UInt32.max)) else {
            return nil
        }
        return MediaTime(ticks: Int64(ticks), base: Rational(1, Int64(scale))).duration
    }
}

extension ISOBoxHeader {
    /// Reads the header of a box that begins a range; nil where none does.
    fileprivate init?(_ bytes: any ByteSource, in range: Range<Int>) throws(MediaError) {
        guard range.count >= 8 else { return nil }
        self.init(
            try bytes.bytes(min(16, range.count), at: range.lowerBound), room: range.count)
    }

    /// Whether the type is made of printable letters, so that it is no other data.
    fileprivate var isNamed: Bool {
        kind.bigEndianBytes.allSatisfy { (0x20..<0x7F).contains($0) }
    }
}
