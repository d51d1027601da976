/// The value of a `Content-Range` field (RFC 9110, 14.4).
enum ContentRange {
    /// Parses `bytes 0-99/200` or `bytes 0-99/*`; nil if it is not a range of bytes.
    static func parse(_ text: String) -> (range: Range<Int>, whole: Int?)? {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]),
            first <= last, last < .max
        else { return nil }
        if parts[1] == "*" { return (first..<last + 1, nil) }
        guard let whole = number(parts[1]), last < whole else { return nil }
        return (first..<last + 1, whole)
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
