/// The order of names in which people count: `f2` before `f10`; pure.
package enum NaturalOrder {
    /// Whether a name comes before another one.
    package static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        var (left, right) = (left.map(lowercased)[...], right.map(lowercased)[...])
        while let a = left.first, let b = right.first {
            if isDigit(a), isDigit(b) {
                let (one, other) = (number(&left), number(&right))
                if one.count != other.count { return one.count < other.count }
                if one != other { return one.lexicographicallyPrecedes(other) }
            } else {
                if a != b { return a < b }
                left.removeFirst()
                right.removeFirst()
            }
        }
        return left.count < right.count
    }

    /// Takes a number's digits without leading zeros.
    private static func number(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = text.prefix(while: isDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte + 32 : byte
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
