internal import LazyMedia

/// Tells stills from animations by the beginning of a JPEG XL.
///
/// The flag is in the first bits of the image metadata (ISO/IEC 18181-1, D.2).
enum JXLBeginning {
    /// Enough for the largest size header and metadata before the flag.
    private static let most = 32

    /// The type of a codestream that begins at an offset.
    static func type(ofCodestream bytes: RawSpan, at offset: Int) -> MediaType.Sniffed {
        var bits = JXLBits((offset + 2..<offset + most).compactMap { bytes.byte(at: $0) })
        let isAnimated = isAnimated(&bits)
        guard !bits.isOver else { return .needsBytes(offset + most) }
        return .known(isAnimated ? .jpegXLAnimation : .jpegXL)
    }

    /// The type of the codestream in a container: in `jxlc`, or in `jxlp` after a number.
    static func type(ofContainer bytes: RawSpan) -> MediaType.Sniffed {
        var offset = 0
        while true {
            guard let short = bytes.bigEndian32(at: offset), let name = bytes.word(at: offset + 4)
            else { return .needsBytes(offset + 8) }
            var (head, length) = (8, Int(short))
            if short == 1 {
                guard let high = bytes.bigEndian32(at: offset + 8),
                    let low = bytes.bigEndian32(at: offset + 12)
                else { return .needsBytes(offset + 16) }
                (head, length) = (16, Int(high & 0x7FFF_FFFF) << 32 | Int(low))
            }
            if name == "jxlc" { return type(ofCodestream: bytes, at: offset + head) }
            if name == "jxlp" { return type(ofCodestream: bytes, at: offset + head + 4) }
            // A box up to the end of the file, or one behind more metadata than is looked through.
            guard length >= head, length < 1 << 24 - offset else { return .known(.jpegXL) }
            offset += length
        }
    }

    private static func isAnimated(_ bits: inout JXLBits) -> Bool {
        readSize(&bits)
        let isAllDefault = bits.flag()
        guard !isAllDefault, bits.flag() else { return false }
        bits.skip(3)  // the orientation
        if bits.flag() { readSize(&bits) }
        if bits.flag() { readPreviewSize(&bits) }
        return bits.flag()
    }

    private static func readSize(_ bits: inout JXLBits) {
        let isSmall = bits.flag()
        bits.skip(isSmall ? 5 : [9, 13, 18, 30][bits.number(2)])
        guard bits.number(3) == 0 else { return }
        bits.skip(isSmall ? 5 : [9, 13, 18, 30][bits.number(2)])
    }

    private static func readPreviewSize(_ bits: inout JXLBits) {
        let counts = bits.flag() ? [0, 0, 5, 9] : [6, 8, 10, 12]
        bits.skip(counts[bits.number(2)])
        if bits.number(3) == 0 { bits.skip(counts[bits.number(2)]) }
    }
}

/// Reads bits, the lowest of each byte first (ISO/IEC 18181-1, B.2).
private struct JXLBits {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether more bits were read than there are.
    var isOver: Bool { position > bytes.count * 8 }

    mutating func flag() -> Bool { number(1) == 1 }

    mutating func skip(_ count: Int) { position += count }

    mutating func number(_ count: Int) -> Int {
        defer { position += count }
        return (0..<count).reduce(0) { sum, i in
            let (byte, bit) = (position + i).quotientAndRemainder(dividingBy: 8)
            return byte < bytes.count ? sum | Int(bytes[byte] >> UInt8(bit) & 1) << i : sum
        }
    }
}
