/// Writes numbers bit by bit, the lowest bits first, as VP8L stores them.
struct WebPBits {
    private(set) var bytes: [UInt8] = []
    private var rest: UInt64 = 0
    private var count = 0

    /// Appends the lowest bits of a number, at most 32.
    mutating func append(_ value: Int, _ bits: Int) {
        rest |= (UInt64(truncatingIfNeeded: value) & ((1 << UInt64(bits)) - 1)) << UInt64(count)
        count += bits
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
            count -= 8
        }
    }

    /// Fills the last byte with zeros.
    mutating func finish() { if count > 0 { append(0, 8 - count) } }
}
