internal import LazyBase

/// The line below the picture: position, what is dropped, and what keys have changed.
struct StatusLine {
    var position = Duration.zero
    var length: Duration?
    /// The number of the frame on screen, from 0.
    var frame = 0
    var isPaused = false
    var speed = 1.0
    var loopsForever = false
    /// The number of frames that were not drawn, because they were late.
    var dropped = 0
    var protocolName = ""
    var title: String?
    /// The number of the input from 1, and the number of inputs.
    var place: (number: Int, count: Int)?
    /// What happened, instead of the title.
    var message: String?

    /// The text in so many columns, padded with blanks.
    func text(columns: Int) -> String {
        let length = length.map { " / " + Self.time($0) } ?? ""
        var parts = [
            (isPaused ? "paused " : "") + Self.time(position) + length, "frame \(frame)",
        ]
        if speed != 1 { parts.append("\(Self.number(speed))x") }
        if loopsForever { parts.append("loop") }
        if dropped > 0 { parts.append("\(dropped) dropped") }
        parts.append(protocolName)
        if let place, place.count > 1 { parts.append("\(place.number) of \(place.count)") }
        if let note = message ?? title { parts.append(note) }
        let text = " " + parts.joined(separator: "  ")
        // The last column stays free: some terminals would begin another line.
        return ColumnText.start(of: text, max(0, columns - 1))
    }

    /// A time as `1:02:03.4`.
    static func time(_ time: Duration) -> String {
        let tenths = max(0, time.milliseconds) / 100
        let (seconds, minutes, hours) = (tenths / 10 % 60, tenths / 600 % 60, tenths / 36000)
        let tail = "\(seconds < 10 ? "0" : "")\(seconds).\(tenths % 10)"
        if hours == 0 { return "\(minutes):\(tail)" }
        return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}
