/// Writes the fields of a message: little-endian, without padding, in a fixed order.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ field: some MessageField) { field.write(to: &self) }

    /// The bytes of a list, after their number.
    mutating func put(bytes list: [UInt8]) {
        put(number: UInt32(clamping: list.count))
        bytes.append(contentsOf: list)
    }
}

/// What a message consists of.
protocol MessageField {
    func write(to writer: inout MessageWriter)
    init(from reader: inout MessageReader) throws(GrammarError)
}
