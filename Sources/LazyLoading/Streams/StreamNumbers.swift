/// Numbers in playlists, which are untrusted text.
enum StreamNumbers {
    /// The longest text that is a number; what is longer is not looked through.
    static let longest = 64

    /// A number of bytes, segments or units that is not negative.
    static func integer(_ text: some StringProtocol) -> Int? {
        let digits = text.utf8
        guard (1...longest).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text).flatMap { $0 <= 1 << 53 ? $0 : nil }
    }

    /// Seconds as a decimal number, to a microsecond; at most a year.
    static func seconds(_ text: some StringProtocol) -> Duration? {
        guard text.utf8.count <= longest, let number = Double(String(text).trimmed),
            number.isFinite, (0...31_536_000).contains(number)
        else { return nil }
        return .microseconds(Int64((number * 1_000_000).rounded()))
    }

    /// A range of a length and an offset, such as `1000@200`; without an offset it begins at another one.
    static func range(_ text: some StringProtocol, after offset: Int?) -> Range<Int>? {
        guard text.utf8.count <= longest else { return nil }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let count = integer(parts[0]), count > 0,
            let start = parts.count == 2 ? integer(parts[1]) : offset, start <= 1 << 53
        else { return nil }
        return start..<start + count
    }

    /// A range of the first and the last byte, such as `0-999`.
    static func inclusiveRange(_ text: some StringProtocol) -> Range<Int>? {
        guard text.utf8.count <= longest else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = integer(parts[0]), let last = integer(parts[1]),
            first <= last
        else { return nil }
        return first..<last + 1
    }

    /// The bytes of a hexadecimal number such as `0x0123`, with zeros in front up to a size.
    static func bytes(hexadecimal text: some StringProtocol, count: Int) -> [UInt8]? {
        guard text.utf8.count <= longest, text.hasPrefix("0x") || text.hasPrefix("0X") else {
            return nil
        }
        let digits = text.dropFirst(2).compactMap(\.hexDigitValue)
        guard digits.count == text.count - 2, (1...count * 2).contains(digits.count) else {
            return nil
        }
        let padded = Array(repeating: 0, count: count * 2 - digits.count) + digits
        return (0..<count).map { UInt8(padded[2 * $0] << 4 | padded[2 * $0 + 1]) }
    }
}
