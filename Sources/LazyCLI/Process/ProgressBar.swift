import Glibc
internal import LazyBase
internal import LazyMedia

/// A progress line on standard error, only on a terminal, updated ten times per second.
final class ProgressBar: Sendable {
    /// What is counted.
    enum Unit: Sendable {
        case frames, bytes, inputs
        /// Thousandths of inputs.
        case shares
    }

    private struct State {
        var done: Int
        var total: Int?
        /// The amount done before the work began, which does not count for the rate.
        var given = 0
        var drawn: ContinuousClock.Instant?
        var isOver = false
    }
    private let state: Locked<State>
    private let label: String
    private let unit: Unit
    private let start = ContinuousClock.now

    /// Makes a bar, or nil if standard error is not a terminal that can redraw a line.
    init?(_ label: String, _ unit: Unit = .frames, total: Int?, isQuiet: Bool) {
        guard !isQuiet, OutputStream.standardError.isTerminal else { return nil }
        if let kind = getenv("TERM"), String(cString: kind) == "dumb" { return nil }
        self.label = label.shown
        self.unit = unit
        state = Locked(State(done: 0, total: total))
    }

    /// Adds an amount of completed work.
    func advance(by count: Int = 1) { change { $0.done += count } }

    /// Sets the completed and the total amount.
    func set(done: Int, total: Int?) {
        change { state in
            state.done = done
            state.total = total
        }
    }

    /// Draws the bar before anything is done, of work that takes long.
    func begin() {
        let columns = Self.columns
        let line: String? = state.withLock { state in
            guard !state.isOver, state.drawn == nil else { return nil }
            state.drawn = .now
            return Self.line(
                label, unit, done: state.done, total: state.total, elapsed: .zero, columns: columns)
        }
        if let line { try? OutputStream.standardError.write("\r" + line + "\u{1B}[K") }
    }

    /// Raises the total; part of it takes no time.
    func expect(_ count: Int, given: Int = 0) {
        change { state in
            state.total = (state.total ?? 0) + count
            state.given += given
        }
    }

    /// Adds completed work that took no time.
    func give(_ count: Int) {
        change { state in
            state.done += count
            state.given += count
        }
    }

    /// Clears the line for other output; it is drawn again later.
    func clear() {
        let isDrawn = state.withLock { state in
            defer { state.drawn = nil }
            return state.drawn != nil
        }
        if isDrawn { try? OutputStream.standardError.write("\r\u{1B}[K") }
    }

    /// Clears the line at the end.
    func finish() {
        state.withLock { $0.isOver = true }
        clear()
    }

    private func change(_ body: (inout State) -> Void) {
        let now = ContinuousClock.now
        let line: String? = state.withLock { state in
            body(&state)
            if state.isOver { return nil }
            // Very short work needs no bar.
            if unit == .shares, state.drawn == nil, now - start < .milliseconds(300) { return nil }
            if let drawn = state.drawn, now - drawn < .milliseconds(100) { return nil }
            state.drawn = now
            return Self.line(
                label, unit, done: state.done, total: state.total, given: state.given,
                elapsed: now - start, columns: Self.columns)
        }
        if let line { try? OutputStream.standardError.write("\r" + line + "\u{1B}[K") }
    }

    // A line as wide as the terminal would wrap and could not be redrawn.
    private static var columns: Int {
        var window = winsize()
        let errors = OutputStream.standardError.number
        let isKnown = ioctl(errors, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        return isKnown ? Int(window.ws_col) - 1 : 79
    }

    /// The text of the bar that fits the columns, without the least important parts.
    static func line(
        _ label: String, _ unit: Unit = .frames, done: Int, total: Int?, given: Int = 0,
        elapsed: Duration, columns: Int = 79
    ) -> String {
        let seconds = elapsed / .seconds(1)
        let speed = seconds > 0.2 ? Double(done - given) / seconds : 0
        let rate =
            unit == .shares
            ? self.rest(done, of: total, speed)
            : seconds > 0.2 && unit != .inputs ? " " + self.rate(speed, unit) : ""
        let name = label.count <= 24 ? label : "…" + label.suffix(23)
        guard let total, total > 0 else {
            let amount = amount(done, unit)
            return fitting(["\(name) \(amount)\(rate)", "\(name) \(amount)", amount], columns)
        }
        let share = min(1, Double(done) / Double(total))
        let (percent, amount) = ("\(Int(share * 100))%", amount(done, of: total, unit))
        let begin = "\(name) \(bar(share, 20)) \(percent)" + (amount.isEmpty ? "" : " " + amount)
        let lines = [
            begin + rate, begin,
            "\(name) \(bar(share, 10)) \(percent)", "\(name) \(percent)", percent,
        ]
        return fitting(lines, columns)
    }

    private static func fitting(_ lines: [String], _ columns: Int) -> String {
        lines.first { $0.count <= columns } ?? String((lines.last ?? "").prefix(max(0, columns)))
    }

    private static func bar(_ share: Double, _ width: Int) -> String {
        let filled = Int(share * Double(width))
        return String(repeating: "█", count: filled)
            + String(repeating: "░", count: width - filled)
    }

    private static func rate(_ perSecond: Double, _ unit: Unit) -> String {
        switch unit {
        case .bytes: ByteSize.text(Int(max(0, perSecond))) + "/s"
        default: "\(Int(perSecond)) fps"
        }
    }

    // The rate of inputs, and the remaining time.
    private static func rest(_ done: Int, of total: Int?, _ speed: Double) -> String {
        // The first steps of an input take less or more than the others.
        guard let total, speed > 0, done >= min(1000, total / 20) else { return "" }
        let perSecond = speed / 1000
        let number =
            perSecond < 10
            ? "\(Int(perSecond)).\(Int(perSecond * 10) % 10)" : "\(Int(perSecond))"
        let own = perSecond < 1 ? Self.rate(perSecond) : "\(number)/s"
        let rate = total > 1000 ? " " + own : ""
        return rate + " " + time(Double(max(0, total - done)) / speed) + " left"
    }

    /// `12 per second`, or `3.4 s each` where that is less than one.
    static func rate(_ perSecond: Double) -> String {
        guard perSecond < 1 else { return "\(Int(perSecond)) per second" }
        let tenths = Int(saturating: (10 / perSecond).rounded())
        return "\(tenths / 10).\(tenths % 10) s each"
    }

    private static func time(_ seconds: Double) -> String {
        let seconds = Int(min(seconds, 3_599_999).rounded(.up))
        if seconds < 60 { return "\(seconds)s" }
        if seconds < 3600 { return "\(seconds / 60)m\(String(seconds % 60).padded(to: 2))s" }
        return "\(seconds / 3600)h\(String(seconds / 60 % 60).padded(to: 2))m"
    }

    private static func amount(_ done: Int, _ unit: Unit) -> String {
        switch unit {
        case .bytes: ByteSize.text(done)
        case .frames: "\(done) frames"
        case .inputs: "\(done) done"
        case .shares: "\(done / 1000) done"
        }
    }

    private static func amount(_ done: Int, of total: Int, _ unit: Unit) -> String {
        switch unit {
        case .bytes: "\(ByteSize.text(done)) of \(ByteSize.text(total))"
        case .frames, .inputs: "\(done)/\(total)"
        // A single input has no counter.
        case .shares: total > 1000 ? "\(done / 1000)/\(total / 1000)" : ""
        }
    }
}
