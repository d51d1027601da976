import LazyBase

/// The value of a `Retry-After` field (RFC 9110, 10.2.3).
enum RetryAfter {
    /// Parses seconds or a date; nil if it is neither, zero for a date in the past.
    static func parse(_ text: String, now: WallTime) -> Duration? {
        if let date = HTTPDate.parse(text, now: now) { return max(.zero, date - now) }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return .seconds(Int64(Int32(text) ?? .max))
    }
}
