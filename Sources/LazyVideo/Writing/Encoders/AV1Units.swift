/// AV1's OBUs in the form that containers need (AV1 specification, 5.3; AV1-ISOBMFF, 2.3).
enum AV1Units {
    private static let sequenceHeader = 1
    private static let temporalDelimiter = 2

    /// A picture's OBUs without temporal delimiters.
    static func sample(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var sample: [UInt8] = []
        sample.reserveCapacity(bytes.count)
        OBU.forEach(bytes) { unit in
            if unit.type != temporalDelimiter { sample += bytes[unit.range] }
        }
        return sample
    }

    /// The configuration record (`av1C`) for 8-bit 4:2:0, or nil without a sequence header.
    static func header(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var header: [UInt8]?
        OBU.forEach(bytes) { unit in
            guard unit.type == sequenceHeader, header == nil, unit.payload.count > 2,
                let (profile, level, tier) = operatingPoint(
                    HeaderBits(UnsafeBufferPointer(rebasing: bytes[unit.payload])))
            else { return }
            // Subsampled in both directions; unspecified chroma siting.
            header = [0x81, UInt8(profile << 5 | level), UInt8(tier << 7 | 0b1100), 0]
            header? += bytes[unit.range]
        }
        return header
    }

    /// The sequence header's first fields (AV1 specification, 5.5.1), or nil with a decoder model.
    private static func operatingPoint(
        _ header: HeaderBits
    ) -> (profile: Int, level: Int, tier: Int)? {
        var bits = header
        let profile = bits.read(3)
        bits.skip(1)
        if bits.flag() { return (profile, bits.read(5), 0) }
        if bits.flag() {
            bits.skip(64)
            if bits.flag() { bits.skipVariable() }
            // Our encoders write no decoder model.
            if bits.flag() { return nil }
        }
        bits.skip(1 + 5 + 12)
        let level = bits.read(5)
        return (profile, level, level > 7 ? bits.read(1) : 0)
    }
}
