import Glibc
internal import LazyMedia

/// A line on standard error that tells how far the work is; only on a terminal, ten times a second.
final class ProgressBar: Sendable {
    private struct State {
        var done = 0
        var drawn: ContinuousClock.Instant?
        var isOver = false
    }
    private let state = Locked(State())
    private let label: String
    private let total: Int?
    private let begin = ContinuousClock.now

    /// Makes a bar, or nil where standard error is no terminal that can redraw a line.
    init?(_ label: String, total: Int?, isQuiet: Bool) {
        guard !isQuiet, Descriptor.standardError.isTerminal else { return nil }
        if let kind = getenv("TERM"), String(cString: kind) == "dumb" { return nil }
        self.label = label
        self.total = total
    }

    /// One more frame is done.
    func advance() {
        let now = ContinuousClock.now
        let line: String? = state.withLock { state in
            state.done += 1
            if state.isOver { return nil }
            if let drawn = state.drawn, now - drawn < .milliseconds(100) { return nil }
            state.drawn = now
            return Self.line(label, done: state.done, total: total, elapsed: now - begin)
        }
        if let line { try? Descriptor.standardError.write("\r" + line + "\u{1B}[K") }
    }

    /// Takes the line away.
    func finish() {
        let isDrawn = state.withLock { state in
            state.isOver = true
            return state.drawn != nil
        }
        if isDrawn { try? Descriptor.standardError.write("\r\u{1B}[K") }
    }

    /// The text of the bar, of at most some 70 columns.
    static func line(_ label: String, done: Int, total: Int?, elapsed: Duration) -> String {
        let seconds =
            Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let rate = seconds > 0.2 ? " \(Int(Double(done) / seconds)) fps" : ""
        let name = label.count <= 24 ? label : "…" + label.suffix(23)
        guard let total, total > 0 else { return "\(name) \(done) frames\(rate)" }
        let share = min(1, Double(done) / Double(total))
        let filled = Int(share * 20)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
        return "\(name) \(bar) \(Int(share * 100))% \(done)/\(total)\(rate)"
    }
}
