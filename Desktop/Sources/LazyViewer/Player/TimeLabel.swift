/// Times and speeds as people write them; pure.
package enum TimeLabel {
    /// Minutes, seconds and tenths; hours where there are any.
    package static func text(_ time: Duration, isLong: Bool = false) -> String {
        let tenths = Int((time / .milliseconds(100)).rounded(.down))
        let (seconds, tenth) = (tenths / 10, tenths % 10)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        if hours > 0 || isLong { return "\(hours):\(two(minutes)):\(two(seconds % 60))" }
        return "\(minutes):\(two(seconds % 60)).\(tenth)"
    }

    /// The time and number of a frame: `0:02.0 / 0:05.0 · 51 / 125`.
    package static func text(
        _ time: Duration, of duration: Duration?, frame: Int?, count: Int?
    ) -> String {
        let isLong = (duration ?? .zero) >= .seconds(3600)
        var text = Self.text(time, isLong: isLong)
        if let duration { text += " / " + Self.text(duration, isLong: isLong) }
        if let frame { text += " · \(frame + 1)" + (count.map { " / \($0)" } ?? "") }
        return text
    }

    /// A factor of speed: `1.5×`, `−2×` backward.
    package static func speed(_ rate: Double) -> String {
        let hundredths = Int((abs(rate) * 100).rounded())
        let digits = "\(hundredths / 100)." + two(hundredths % 100)
        let number = digits.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()
        return "\(rate < 0 ? "−" : "")\(String(number))×"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
