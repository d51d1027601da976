/// A writer of big-endian numbers.
struct BigEndian {
    /// The bytes so far.
    var bytes: [UInt8] = []

    /// Writes the lowest bytes of a number.
    mutating func put(_ value: some FixedWidthInteger, _ count: Int) {
        for place in stride(from: count - 1, through: 0, by: -1) {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place)))
        }
    }
}
