internal import FoundationEssentials
internal import LazyBase

/// The time at which a live manifest is read.
struct DASHClock {
    /// How long the presentation has been available; nil if the manifest does not say since when.
    let elapsed: Duration?

    init(_ root: XMLElement, now: Date) {
        guard let text = root["availabilityStartTime"], let start = DASHTime.date(text) else {
            elapsed = nil
            return
        }
        elapsed = .milliseconds(Int64(max(0, min(1e15, now.timeIntervalSince(start) * 1000))))
    }
}

/// Durations and dates as XML Schema writes them.
enum DASHTime {
    /// A duration such as `PT1H2M3.5S`; days count as 24 hours, and at most a year is read.
    static func duration(_ text: String) -> Duration? {
        guard text.utf8.count <= StreamNumbers.longest, text.hasPrefix("P") else { return nil }
        var (isTime, number, total) = (false, "", 0.0)
        for letter in text.dropFirst() {
            switch letter {
            case "0"..."9", ".": number.append(letter)
            case "T": isTime = true
            default:
                let units: [Character: Double] =
                    isTime ? ["H": 3600, "M": 60, "S": 1] : ["D": 86_400, "W": 604_800]
                guard let value = Double(number), let unit = units[letter] else {
                    // Months and years are no exact time; zeros of them are written.
                    if Double(number) == 0, "YM".contains(letter) {
                        number = ""
                        continue
                    }
                    return nil
                }
                total += value * unit
                number = ""
            }
        }
        return number.isEmpty ? StreamNumbers.seconds(String(total)) : nil
    }

    /// A date such as `2026-01-02T03:04:05.6Z`.
    static func date(_ text: String) -> Date? {
        guard text.utf8.count <= StreamNumbers.longest else { return nil }
        let whole = text.prefix { $0 != "." }
        let zoned = whole.hasSuffix("Z") || whole.dropFirst(11).contains { "+-".contains($0) }
        return try? Date(zoned ? String(whole) : whole + "Z", strategy: .iso8601)
    }
}
