/// AV1's OBUs in the form that containers need (AV1 specification, 5.3; AV1-ISOBMFF, 2.3).
enum AV1Units {
    private static let sequenceHeader = 1
    private static let temporalDelimiter = 2

    /// Passes each OBU with its type and payload; ends at invalid data.
    private static func forEach(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ use: (_ kind: Int, _ whole: Range<Int>, _ payload: Range<Int>) -> Void
    ) {
        var place = 0
        while place < bytes.count {
            let start = place
            let head = bytes[place]
            place += head & 4 != 0 ? 2 : 1
            // Without a size it extends to the end.
            var size = bytes.count - place
            if head & 2 != 0 {
                size = 0
                var shift = 0
                while place < bytes.count, shift < 56 {
                    let byte = bytes[place]
                    place += 1
                    size |= Int(byte & 127) << shift
                    shift += 7
                    if byte & 128 == 0 { break }
                }
            }
            guard size >= 0, size <= bytes.count - place else { return }
            use(Int(head >> 3 & 15), start..<place + size, place..<place + size)
            place += size
        }
    }

    /// A picture's OBUs without temporal delimiters.
    static func sample(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var sample: [UInt8] = []
        sample.reserveCapacity(bytes.count)
        forEach(bytes) { kind, whole, _ in
            if kind != temporalDelimiter { sample += bytes[whole] }
        }
        return sample
    }

    /// The configuration record (`av1C`) for 8-bit 4:2:0, or nil without a sequence header.
    static func header(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var header: [UInt8]?
        forEach(bytes) { kind, whole, payload in
            guard kind == sequenceHeader, header == nil, payload.count > 2 else { return }
            var bits = Bits(bytes: bytes, place: payload.lowerBound * 8)
            guard let (profile, level, tier) = bits.readOperatingPoint() else { return }
            // Subsampled in both directions; unspecified chroma siting.
            header = [0x81, UInt8(profile << 5 | level), UInt8(tier << 7 | 0b1100), 0]
            header? += bytes[whole]
        }
        return header
    }

    /// The sequence header's first fields (AV1 specification, 5.5.1).
    private struct Bits {
        let bytes: UnsafeBufferPointer<UInt8>
        var place: Int

        mutating func read(_ count: Int) -> Int {
            var value = 0
            for _ in 0..<count {
                let byte = place / 8 < bytes.count ? bytes[place / 8] : 0
                value = value << 1 | Int(byte >> (7 - place % 8) & 1)
                place += 1
            }
            return value
        }

        mutating func readOperatingPoint() -> (profile: Int, level: Int, tier: Int)? {
            let profile = read(3)
            _ = read(1)
            if read(1) == 1 { return (profile, read(5), 0) }
            if read(1) == 1, !skipTiming() { return nil }
            _ = read(1)
            _ = read(5)
            _ = read(12)
            let level = read(5)
            return (profile, level, level > 7 ? read(1) : 0)
        }

        /// Skips the timing; false where a decoder model follows, which our encoders do not write.
        private mutating func skipTiming() -> Bool {
            _ = read(32)
            _ = read(32)
            if read(1) == 1 {
                var zeros = 0
                while zeros < 32, read(1) == 0 { zeros += 1 }
                _ = read(zeros)
            }
            return read(1) == 0
        }
    }
}
