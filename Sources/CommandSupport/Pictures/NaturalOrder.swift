internal import LazyFiles

/// The order of names in which numbers count by their value: `a2` is before `a10`.
enum NaturalOrder {
    /// Whether one name is before another.
    static func isBefore(_ one: String, _ other: String) -> Bool {
        let (a, b) = (FileName.bytes(one), FileName.bytes(other))
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
            if a[i].isDigit, b[j].isDigit {
                let (left, right) = (number(a, &i), number(b, &j))
                if left.count != right.count { return left.count < right.count }
                if left != right { return left.lexicographicallyPrecedes(right) }
            } else {
                if a[i] != b[j] { return a[i] < b[j] }
                (i, j) = (i + 1, j + 1)
            }
        }
        if a.count - i != b.count - j { return a.count - i < b.count - j }
        // Names that differ in leading zeros alone.
        return a.lexicographicallyPrecedes(b)
    }

    /// The digits at a place without leading zeros.
    private static func number(_ bytes: [UInt8], _ place: inout Int) -> ArraySlice<UInt8> {
        let rest = bytes[place...]
        let digits = rest.prefix(while: \.isDigit)
        place = digits.endIndex
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
