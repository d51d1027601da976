internal import LazyMedia

/// The packets of several files, one behind the other, as those of one file.
///
/// Not over a network, where each packet would have to be fetched.
final class JoinedParts: ByteSource {
    private let base: any ByteSource
    /// The ranges of the base, and where each begins here.
    private let parts: [(start: Int, range: Range<Int>)]
    /// Bytes of the first part that are others than those of the base.
    private let patch: (place: Range<Int>, bytes: [UInt8])?
    private let whole = WholeBytes()
    let count: Int

    private init(
        _ bytes: any ByteSource, _ ranges: [Range<Int>],
        patch: (place: Range<Int>, bytes: [UInt8])? = nil
    ) {
        (base, self.patch) = (bytes, patch)
        var (start, parts): (Int, [(Int, Range<Int>)]) = (0, [])
        for range in ranges {
            parts.append((start, range))
            start += range.count
        }
        (self.parts, count) = (parts, start)
    }

    // MARK: - Matroska

    /// The first file, whose segment has no size, and the clusters of the others.
    convenience init(
        matroska bytes: any ByteSource, _ parts: MatroskaParts, _ clusters: [Range<Int>]
    ) {
        // All ones: a size that is not known (RFC 8794, 6.2).
        let unknown =
            [UInt8(truncatingIfNeeded: 0x1FF >> parts.size.count)]
            + [UInt8](repeating: 0xFF, count: parts.size.count - 1)
        self.init(bytes, [0..<parts.end] + clusters, patch: (parts.size, unknown))
    }

    // MARK: - NUT

    /// Looks for names between packets; nil where there is none but the first.
    convenience init?(nut bytes: any ByteSource, _ limits: DecodingLimits) throws(MediaError) {
        guard let packets = try NUTPackets(bytes, limits), !packets.names.isEmpty else {
            return nil
        }
        var (ranges, begin): ([Range<Int>], Int) = ([], 0)
        for name in packets.names {
            ranges.append(begin..<name)
            begin = name + NUTPackets.name.count
        }
        self.init(bytes, ranges + [min(begin, bytes.count)..<bytes.count])
    }

    // MARK: - FLV

    /// Looks for headers between tags, by their lengths; nil where there is none but the first: FFmpeg stops at the second.
    convenience init?(flv bytes: any ByteSource, _ limits: DecodingLimits) throws(MediaError) {
        guard !bytes.isRemote, !bytes.isPartial else { return nil }
        let opening = limits.opening
        var window = HeaderWindow(bytes)
        var (ranges, begin): ([Range<Int>], Int) = ([], 0)
        var place = try Self.headerEnd(0, &window)
        while place < bytes.count {
            try opening.check()
            let head = try window.read(at: place, count: 11)
            guard head.count == 11, let type = head.first else { break }
            if head.starts(with: Self.name) {
                ranges.append(begin..<place)
                begin = try Self.headerEnd(place, &window)
                place = begin
                continue
            }
            guard [8, 9, 18].contains(type & 31) else { break }
            place += 15 + Int(try window.number(at: place + 1, count: 3))
        }
        guard !ranges.isEmpty else { return nil }
        ranges.append(min(begin, bytes.count)..<bytes.count)
        self.init(bytes, ranges)
    }

    private static let name = Array("FLV".utf8) + [1]

    /// Behind a header and the size of no tag (FLV specification, E.2 and E.3).
    private static func headerEnd(
        _ start: Int, _ window: inout HeaderWindow
    ) throws(MediaError) -> Int {
        start + max(9, Int(try window.number(at: start + 5, count: 4))) + 4
    }

    // MARK: - Reading

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let place = offset + filled
            let number = parts.partitionPoint { $0.start <= place } - 1
            guard parts.indices.contains(number), case let part = parts[number],
                case let own = part.range.lowerBound + place - part.start,
                own < part.range.upperBound
            else { break }
            let length = min(buffer.count - filled, part.range.upperBound - own)
            let got = try base.read(
                at: own, into: .init(rebasing: buffer[filled..<filled + length]))
            guard got > 0 else { break }
            if number == 0, let patch {
                for place in patch.place.clamped(to: own..<own + got) {
                    buffer[filled + place - own] = patch.bytes[place - patch.place.lowerBound]
                }
            }
            filled += got
        }
        return filled
    }

    func contiguous() throws(MediaError) -> MemoryBytes { try whole.bytes(of: self) }
}
