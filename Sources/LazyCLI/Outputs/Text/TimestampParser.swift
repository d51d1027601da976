/// Parses times exactly.
///
/// `12.5`, `12.5s`, `500ms`, `1m2s`, `1h2m3.5s`, `01:02.5` and `00:01:02.5` are times.
enum TimestampParser {
    /// The time, or nil if the text is not one.
    static func duration(_ text: some StringProtocol) -> Duration? {
        text.contains(":") ? clock(String(text)) : units(String(text))
    }

    /// The explanation for errors.
    static let explanation = "a time is written as 12.5, 500ms, 1m2s or 00:01:02.5"

    private static func clock(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last, let rest = decimal(last) else {
            return nil
        }
        guard rest < .seconds(60) else { return nil }
        var minutes: Int64 = 0
        for part in parts.dropLast() {
            guard let number = wholeNumber(part), number < 1_000_000 else { return nil }
            if minutes > 0 || part.startIndex != text.startIndex, number > 59 { return nil }
            minutes = minutes * 60 + number
        }
        return .seconds(minutes * 60) + rest
    }

    private static func units(_ text: String) -> Duration? {
        var rest = Substring(text)
        var total = Duration.zero
        var lastUnit = Int64.max
        repeat {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let unit = rest[digits.endIndex...].prefix { $0.isASCII && $0.isLetter }
            guard let amount = decimal(digits), let (scale, divisor) = units[String(unit)] else {
                return nil
            }
            // Units are in descending order, each at most once.
            let order = scale * 1000 / divisor
            guard order < lastUnit, !unit.isEmpty || lastUnit == .max else { return nil }
            lastUnit = order
            total += amount * Int(scale) / Int(divisor)
            rest = rest[unit.endIndex...]
        } while !rest.isEmpty
        return total
    }

    private static let units: [String: (Int64, Int64)] = [
        "": (1, 1), "h": (3600, 1), "m": (60, 1), "min": (60, 1), "s": (1, 1), "ms": (1, 1000),
    ]

    /// Whole and fraction digits as seconds, exact to nanoseconds; at most 10^9.
    private static func decimal(_ text: Substring) -> Duration? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, text != ".", !text.isEmpty else {
            return nil
        }
        guard let seconds = whole.isEmpty ? 0 : wholeNumber(whole) else { return nil }
        guard parts.count == 2, !parts[1].isEmpty else { return .seconds(seconds) }
        let digits = parts[1].prefix(9)
        guard parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), let fraction = Int64(digits)
        else {
            return nil
        }
        var nanoseconds = fraction
        for _ in digits.count..<9 { nanoseconds *= 10 }
        return .seconds(seconds) + .nanoseconds(nanoseconds)
    }

    private static func wholeNumber(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.count <= 9, text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return Int64(text)
    }
}
