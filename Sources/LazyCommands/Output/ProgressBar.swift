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
                elapsed: now - begin)
        }
        if let line { try? Descriptor.standardError.write("\r" + line + "\u{1B}[K") }
    }

    /// The text of the bar, of at most some 75 columns.
    static func line(
        _ label: String, _ unit: Unit = .frames, done: Int, total: Int?, given: Int = 0,
        elapsed: Duration
    ) -> String {
        let seconds = elapsed / .seconds(1)
        let rate =
            seconds > 0.2 && unit != .inputs
            ? " " + self.rate(Double(done - given) / seconds, unit) : ""
        let name = label.count <= 24 ? label : "…" + label.suffix(23)
        guard let total, total > 0 else { return "\(name) \(amount(done, unit))\(rate)" }
        let share = min(1, Double(done) / Double(total))
        let filled = Int(share * 20)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
        return "\(name) \(bar) \(Int(share * 100))% \(amount(done, of: total, unit))\(rate)"
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
