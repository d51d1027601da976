/// Times as people and subtitles write them.
package enum ClockText {
    /// Such as `00:01:02.500`, as in WebVTT.
    package static func exact(milliseconds: Int64) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":"
            + padded(seconds % 60, 2) + "." + padded(rest, 3)
    }

    /// Such as `1:02:03`.
    package static func short(seconds: Int64) -> String {
        "\(seconds / 3600):" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
