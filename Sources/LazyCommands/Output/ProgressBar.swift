import Glibc
internal import LazyMedia

/// A line on standard error that tells how far the work is; only on a terminal, ten times a second.
final class ProgressBar: Sendable {
    /// What is counted.
    enum Unit: Sendable { case frames, bytes, inputs }

    private struct State {
        var done: Int
        var total: Int?
        /// What was there before the work began, and does not count for its rate.
        var given = 0
        var drawn: ContinuousClock.Instant?
        var isOver = false
    }
    private let state: Locked<State>
    private let label: String
    private let unit: Unit
    private let begin = ContinuousClock.now

    /// Makes a bar, or nil where standard error is no terminal that can redraw a line.
    init?(_ label: String, _ unit: Unit = .frames, total: Int?, isQuiet: Bool) {
        guard !isQuiet, Descriptor.standardError.isTerminal else { return nil }
        if let kind = getenv("TERM"), String(cString: kind) == "dumb" { return nil }
        self.label = label
        self.unit = unit
        state = Locked(State(done: 0, total: total))
    }

    /// So much more is done.
    func advance(by count: Int = 1) { change { $0.done += count } }

    /// So much is done, of so much.
    func set(done: Int, total: Int?) {
        change { state in
            state.done = done
            state.total = total
        }
    }

    /// There is more to be done than was known; some of it costs no time.
    func expect(_ count: Int, given: Int = 0) {
        change { state in
            state.total = (state.total ?? 0) + count
            state.given += given
        }
    }

    /// Takes the line away, for another line; it comes again.
    func clear() {
        let isDrawn = state.withLock { state in
            defer { state.drawn = nil }
            return state.drawn != nil
        }
        if isDrawn { try? Descriptor.standardError.write("\r\u{1B}[K") }
    }

    /// Takes the line away for good.
    func finish() {
        state.withLock { $0.isOver = true }
        clear()
    }

    private func change(_ body: (inout State) -> Void) {
        let now = ContinuousClock.now
        let line: String? = state.withLock { state in
            body(&state)
            if state.isOver { return nil }
            if let drawn = state.drawn, now - drawn < .milliseconds(100) { return nil }
            state.drawn = now
            return Self.line(
                label, unit, done: state.done, total: state.total, given: state.given,
                elapsed: now - begin, columns: Self.columns)
        }
        if let line { try? Descriptor.standardError.write("\r" + line + "\u{1B}[K") }
    }

    // A line that reaches the edge would be broken, and could not be drawn over.
    private static var columns: Int {
        var window = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        return isKnown ? Int(window.ws_col) - 1 : 79
    }

    /// The text of the bar: what fits into the columns, the least important left out first.
    static func line(
        _ label: String, _ unit: Unit = .frames, done: Int, total: Int?, given: Int = 0,
        elapsed: Duration, columns: Int = 79
    ) -> String {
        let seconds = elapsed / .seconds(1)
        let rate =
            seconds > 0.2 && unit != .inputs
            ? " " + self.rate(Double(done - given) / seconds, unit) : ""
        let name = label.count <= 24 ? label : "…" + label.suffix(23)
        guard let total, total > 0 else {
            let amount = amount(done, unit)
            return fitting(["\(name) \(amount)\(rate)", "\(name) \(amount)", amount], columns)
        }
        let share = min(1, Double(done) / Double(total))
        let (percent, amount) = ("\(Int(share * 100))%", amount(done, of: total, unit))
        let lines = [
            "\(name) \(bar(share, 20)) \(percent) \(amount)\(rate)",
            "\(name) \(bar(share, 20)) \(percent) \(amount)",
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

    private static func amount(_ done: Int, _ unit: Unit) -> String {
        switch unit {
        case .bytes: ByteSize.text(done)
        case .frames: "\(done) frames"
        case .inputs: "\(done) done"
        }
    }

    private static func amount(_ done: Int, of total: Int, _ unit: Unit) -> String {
        unit == .bytes
            ? "\(ByteSize.text(done)) of \(ByteSize.text(total))" : "\(done)/\(total)"
    }
}
