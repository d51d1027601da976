/// Containers whose first mark is not at the beginning, because a recording was joined or cut anywhere.
///
/// Asked last: a few bytes that are there by chance must not hide another format.
enum LateBeginning {
    /// What has not begun by then is not searched for.
    private static let searched = 1 << 16

    /// A program stream from its first pack, or a stream of its packets alone (ISO/IEC 13818-1, 2.5.3).
    static let sniffProgramStream: MediaSignature.Refinement = { bytes in
        if bytes.isStartCode(at: 0), packets(bytes, at: 0) >= 3 { return .known(.mpegPS) }
        var place = 0
        while let found = bytes.startCode(from: place, to: searched) {
            if bytes.byte(at: found + 3) == 0xBA, let end = packEnd(bytes, at: found),
                packets(bytes, at: end) >= 1
            {
                return .known(.mpegPS)
            }
            place = found + 3
        }
        return bytes.byteCount < searched ? .needsBytes(searched) : .known(.unknown)
    }

    /// A transport stream from its first whole packet, of 188, 192 or 204 bytes.
    static let sniffTransportStream: MediaSignature.Refinement = { bytes in
        let count = 8
        guard bytes.byteCount >= 204 * (count + 1) else { return .needsBytes(204 * (count + 1)) }
        for step in [188, 192, 204] {
            for first in 0..<step
            where (0...count).allSatisfy({ bytes.byte(at: first + $0 * step) == 0x47 }) {
                return .known(.mpegTS)
            }
        }
        return .known(.unknown)
    }

    /// MXF behind a run-in (SMPTE ST 377-1, 6.5).
    static let sniffMXF: MediaSignature.Refinement = { bytes in
        guard bytes.byteCount >= searched else { return .needsBytes(searched) }
        for place in 0..<searched
        where bytes.byte(at: place) == 0x06 && bytes.byte(at: place + 1) == 0x0E {
            if partition.indices.allSatisfy({ bytes.byte(at: place + $0) == partition[$0] }) {
                return .known(.mxf)
            }
        }
        return .known(.unknown)
    }

    /// The key of a header partition, up to its kind.
    static let partition: [UInt8] = [
        0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01, 0x02,
    ]

    /// The end of a pack's header, of MPEG-2 or of MPEG-1.
    private static func packEnd(_ bytes: RawSpan, at start: Int) -> Int? {
        guard let mark = bytes.byte(at: start + 4) else { return nil }
        if mark & 0xC4 == 0x44, let stuffing = bytes.byte(at: start + 13) {
            return start + 14 + Int(stuffing & 7)
        }
        return mark & 0xF1 == 0x21 ? start + 12 : nil
    }

    /// How many packets follow each other, up to three.
    private static func packets(_ bytes: RawSpan, at start: Int) -> Int {
        var (place, count) = (start, 0)
        while count < 3, bytes.isStartCode(at: place), let kind = bytes.byte(at: place + 3) {
            switch kind {
            case 0xBA:
                guard let end = packEnd(bytes, at: place) else { return count }
                place = end
            case 0xBB...0xFF:
                guard let high = bytes.byte(at: place + 4), let low = bytes.byte(at: place + 5)
                else { return count }
                place += 6 + Int(high) << 8 + Int(low)
            default: return count
            }
            count += 1
        }
        return count
    }
}
