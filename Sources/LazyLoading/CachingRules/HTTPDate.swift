public import LazyBase

/// The dates of HTTP header fields (RFC 9110, 5.6.7).
public enum HTTPDate {
    /// Parses a date in any of the three formats.
    ///
    /// The current time determines the century of two-digit years.
    public static func parse(_ text: String, now: WallTime = .now) -> WallTime? {
        let words = text.split { " ,-".contains($0) }.map(String.init)
        // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT; RFC 850: Sunday, 06-Nov-94 08:49:37 GMT.
        if words.count == 6, text.contains(","), isUTC(words[5]), isDayName(words[0]) {
            guard let year = year(words[3], now) else { return nil }
            return instant(year, words[2], words[1], words[4])
        }
        // asctime: Sun Nov  6 08:49:37 1994.
        if words.count == 5, !text.contains(","), words[4].utf8.count == 4, isDayName(words[0]) {
            guard let year = number(words[4]) else { return nil }
            return instant(year, words[1], words[2], words[3])
        }
        return nil
    }

    /// Formats a date as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static func text(of instant: WallTime) -> String {
        let seconds = instant.seconds
        let day = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
        let second = Int(seconds - day * 86400)
        let (year, month, monthDay) = civil(fromDay: day)
        let weekday = dayNames[Int(((day + 4) % 7 + 7) % 7)]
        let clock = [second / 3600, second / 60 % 60, second % 60].map(padded)
        let date = "\(padded(monthDay)) \(monthNames[month - 1]) \(year)"
        return "\(weekday.prefix(3)), \(date) \(clock.joined(separator: ":")) GMT"
    }

    private static let dayNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func isUTC(_ zone: String) -> Bool { ["GMT", "UTC"].contains(zone) }

    private static func isDayName(_ word: String) -> Bool {
        dayNames.contains { $0 == word || $0.prefix(3) == word }
    }

    // Two-digit years more than 50 years ahead are in the past.
    private static func year(_ text: String, _ now: WallTime) -> Int? {
        guard let value = number(text) else { return nil }
        if text.utf8.count == 4 { return value }
        guard text.utf8.count == 2 else { return nil }
        let thisYear = Int(civil(fromDay: now.seconds / 86400).year)
        let year = thisYear / 100 * 100 + value
        return year > thisYear + 50 ? year - 100 : year
    }

    private static func instant(
        _ year: Int, _ month: String, _ day: String, _ clock: String
    ) -> WallTime? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard let month = monthNames.firstIndex(of: month), let day = number(day),
            parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }),
            let hour = number(parts[0]), let minute = number(parts[1]),
            let second = number(parts[2]),
            hour < 24, minute < 60, second <= 60, (1...31).contains(day)
        else { return nil }
        let days = Self.day(year: Int64(year), month: month + 1, day: day)
        // An invalid day, such as 31 June, results in another date.
        guard civil(fromDay: days) == (Int64(year), month + 1, day) else { return nil }
        return WallTime(seconds: days * 86400 + Int64(hour * 3600 + minute * 60 + second))
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 4,
            text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Int(text)
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    // Days since 1970 in the Gregorian calendar, in years that begin in March.
    private static func day(year: Int64, month: Int, day: Int) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    private static func civil(fromDay day: Int64) -> (year: Int64, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = Int(part < 10 ? part + 3 : part - 9)
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            Int(dayOfYear - (153 * part + 2) / 5 + 1)
        )
    }
}
