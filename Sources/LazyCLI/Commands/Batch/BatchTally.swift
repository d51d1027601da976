internal import LazyBase
internal import LazyMedia
internal import LazyPipeline

/// Counts the outcomes of a batch, and decides the exit code.
struct BatchTally: Equatable, Sendable {
    private(set) var made = 0
    private(set) var skipped = 0
    /// Inputs that have nothing to make an output of.
    private(set) var nothing = 0
    private(set) var bytes = 0
    /// How many failed with each exit code.
    private(set) var failures: [ExitStatus: Int] = [:]

    /// All that failed.
    var failed: Int { failures.values.reduce(0, +) }

    /// All inputs that are finished.
    var count: Int { made + skipped + nothing + failed }

    /// An input was made.
    mutating func add(bytes count: Int) {
        made += 1
        bytes += count
    }

    /// An output existed already.
    mutating func addSkipped() { skipped += 1 }

    /// There is nothing to make an output of.
    mutating func addNothing() { nothing += 1 }

    /// An input failed.
    mutating func add(failure status: ExitStatus) { failures[status, default: 0] += 1 }

    /// The exit status.
    ///
    /// If all failures are temporary, another run is worthwhile (75), whatever else was made. If
    /// nothing was made and all failed with one code, it is that code; otherwise 1.
    var status: ExitStatus {
        guard let status = failures.keys.first else { return .success }
        guard failures.count == 1 else { return .someFailed }
        if status == .temporary { return status }
        return count == failed && !status.isInterruption ? status : .someFailed
    }

    /// A summary for people; `left` is for a run that ended early.
    func sentence(seconds: Double, left: Int? = nil) -> String {
        var parts = ["\(made) made"]
        if skipped > 0 { parts.append("\(skipped) existed") }
        if nothing > 0 { parts.append("\(nothing) without pictures for this") }
        if failed > 0 {
            let isTemporary = status == .temporary
            parts.append("\(failed) failed" + (isTemporary ? " (temporarily)" : ""))
        }
        if let left { parts.append("\(left) left") }
        let tenths = Int((seconds * 10).rounded())
        let rate = seconds > 0.2 && made > 0 ? ", " + ProgressBar.rate(Double(made) / seconds) : ""
        return parts.joined(separator: ", ") + " in \(tenths / 10).\(tenths % 10) s" + rate + "."
    }

    /// The members of `--json` and of the last event.
    var json: [(String, JSONValue)] {
        [
            ("made", .integer(made)), ("skipped", .integer(skipped)),
            ("nothing", .integer(nothing)), ("failed", .integer(failed)),
            ("bytes", .integer(bytes)),
        ]
    }
}
