/// An open bitstream unit of AV1 (AV1 specification, 5.3): its type, and its ranges in a packet.
struct OBU {
    /// The type, such as 1 for a sequence header.
    let type: Int
    /// The whole unit with its header.
    let range: Range<Int>
    /// The content after the header.
    let payload: Range<Int>

    /// The unit at an offset, or nil at the end and at invalid data.
    private init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard start < bytes.count else { return nil }
        let header = bytes[start]
        var position = start + (header & 4 != 0 ? 2 : 1)
        guard position <= bytes.count else { return nil }
        // Without a size it extends to the end.
        var size = bytes.count - position
        if header & 2 != 0 {
            guard let declared = Self.number(bytes, at: &position),
                declared <= bytes.count - position
            else { return nil }
            size = declared
        }
        type = Int(header >> 3 & 15)
        payload = position..<position + size
        range = start..<payload.upperBound
    }

    /// The spatial layer that a header with an extension names, or 0.
    func spatialLayer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes[range.lowerBound] & 4 == 0 ? 0 : Int(bytes[range.lowerBound + 1] >> 3 & 3)
    }

    /// Passes each unit of a packet, up to invalid data.
    static func forEach(_ bytes: UnsafeBufferPointer<UInt8>, _ use: (OBU) -> Void) {
        var position = 0
        while let unit = OBU(bytes, at: position) {
            use(unit)
            position = unit.range.upperBound
        }
    }

    /// A number in groups of seven bits (`leb128`).
    private static func number(
        _ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int
    ) -> Int? {
        var value = 0
        for group in 0..<8 where position < bytes.count {
            let byte = bytes[position]
            position += 1
            value |= Int(byte & 0x7F) << (7 * group)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
