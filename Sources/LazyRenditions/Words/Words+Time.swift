extension Words {
    /// `12.5`, `12.5s`, `500ms`, `1m2s`, `1h2m3.5s`, `2d`, `01:02.5`, `00:01:02.5`: an exact time.
    public static let time = Grammar<Duration>(
        "a time is written as 12.5, 500ms, 1m2s or 00:01:02.5",
        shape: "\(clock)|\(digits)|\(units)",
        samples: [
            "0", "12.5", ".5", "5.", "12.5s", "500ms", "1m2.5s", "3min", "1h2m3s4ms", "2d12h", "1w",
            "0.123456789", "90:00", "00:01:02.5", "999999999w6d",
        ],
        read: readTime, print: printTime)

    /// `90s`, `15m`, `12h`, `30d`, `2w`: a time with a unit.
    package static let age = Grammar<Duration>(
        "an age is written as 90s, 15m, 12h, 30d or 2w", shape: units,
        samples: ["0s", "90s", "15m", "12h", "30d", "2w", "1.5h"],
        read: { $0.last?.isLetter == true ? readTime($0) : nil },
        print: { time in
            let text = printTime(time)
            return text.last?.isLetter == true ? text : text + "s"
        })

    /// `10`, `10s`, `1m30s`: every Nth frame, or a step of time, which has a unit.
    public static let step = Grammar<Rendition.Frames.Step>(
        "a step is written as 10 for every tenth frame, or with a unit as 10s",
        shape: "\(count.shape)|\(units)|\(clock)",
        samples: ["1", "10", "10s", "500ms", "1m30s", "00:00:10"],
        read: { text in
            if let number = try? count.parse(text) { return .frames(number) }
            guard text.contains(":") || text.last?.isLetter == true, let time = readTime(text),
                time > .zero
            else { return nil }
            return .time(time)
        },
        print: { step in
            switch step {
            case .frames(let number): return count.text(number)
            case .time(let time): return age.text(time)
            }
        })

    static func readTime(_ text: String) -> Duration? {
        text.contains(":") ? readClock(text) : readUnits(text)
    }

    /// The shortest text in seconds, exact to nanoseconds.
    private static func printTime(_ time: Duration) -> String {
        var (seconds, fraction) = time.components
        var text = ""
        // A number has nine digits at most.
        if seconds >= 1_000_000_000 {
            text = "\(seconds / 604_800)w"
            seconds %= 604_800
            if seconds == 0, fraction == 0 { return text }
        }
        let unit = text.isEmpty ? "" : "s"
        fraction /= 1_000_000_000
        guard fraction > 0 else { return "\(text)\(seconds)\(unit)" }
        var digits = "\(fraction + 1_000_000_000)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(text)\(seconds).\(digits)\(unit)"
    }

    private static let digits = #"(?:[0-9]{1,9}(?:\.[0-9]*)?|\.[0-9]+)"#
    private static let clock =
        #"[0-9]{1,9}:0*[0-5]?[0-9](?::0*[0-5]?[0-9])?(?:\.[0-9]*)?|(?:[0-9]{1,9}:){1,2}\.[0-9]+"#
    private static let units =
        "(?=[0-9.])"
        + ["w", "d", "h", "m(?:in)?", "s", "ms"].map { "(?:\(digits)\($0))?" }.joined()

    private static func readClock(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last, let rest = decimal(last),
            rest < .seconds(60)
        else { return nil }
        var minutes: Int64 = 0
        for part in parts.dropLast() {
            guard let number = wholeNumber(part), number < 1_000_000 else { return nil }
            if part.startIndex != text.startIndex, number > 59 { return nil }
            minutes = minutes * 60 + number
        }
        return .seconds(minutes * 60) + rest
    }

    private static func readUnits(_ text: String) -> Duration? {
        var rest = Substring(text)
        var total = Duration.zero
        var lastUnit = Int64.max
        repeat {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let unit = rest[digits.endIndex...].prefix { $0.isASCII && $0.isLetter }
            guard let amount = decimal(digits), let length = milliseconds[String(unit)],
                // Units are in descending order, each at most once.
                length < lastUnit, !unit.isEmpty || lastUnit == .max
            else { return nil }
            lastUnit = length
            total += amount * Int(length) / 1000
            rest = rest[unit.endIndex...]
        } while !rest.isEmpty
        return total
    }

    private static let milliseconds: [String: Int64] = [
        "": 1000, "w": 604_800_000, "d": 86_400_000, "h": 3_600_000, "m": 60_000, "min": 60_000,
        "s": 1000, "ms": 1,
    ]

    /// Whole and fraction digits as seconds, exact to nanoseconds; at most 10^9.
    private static func decimal(_ text: Substring) -> Duration? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, text != ".",
            let seconds = whole.isEmpty && parts.count == 2 ? 0 : wholeNumber(whole)
        else { return nil }
        guard parts.count == 2, !parts[1].isEmpty else { return .seconds(seconds) }
        let digits = parts[1].prefix(9)
        guard parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), var nanoseconds = Int64(digits)
        else { return nil }
        for _ in digits.count..<9 { nanoseconds *= 10 }
        return .seconds(seconds) + .nanoseconds(nanoseconds)
    }

    private static func wholeNumber(_ text: Substring) -> Int64? {
        guard text.count <= 9, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int64(text)
    }
}
