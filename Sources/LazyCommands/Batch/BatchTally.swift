internal import CommandSupport
internal import LazyBytes
internal import LazyFiles
internal import LazyMedia

/// Counts the outcomes of a batch, and decides how the process ends.
struct BatchTally: Equatable, Sendable {
    private(set) var made = 0
    private(set) var skipped = 0
    private(set) var bytes = 0
    /// How many failed with each exit code.
    private(set) var failures: [CInt: Int] = [:]

    /// All that failed.
    var failed: Int { failures.values.reduce(0, +) }

    /// All inputs that are finished.
    var count: Int { made + skipped + failed }

    /// An input was made.
    mutating func add(bytes count: Int) {
        made += 1
        bytes += count
    }

    /// An output existed already.
    mutating func addSkipped() { skipped += 1 }

    /// An input failed.
    mutating func add(failure status: ExitStatus) { failures[status.number, default: 0] += 1 }

    /// How the process ends.
    ///
    /// Failures that may all succeed later are worth another run (75), whatever else was made. Where
    /// nothing was made and all failed with one code, that is the code; else 1.
    var status: ExitStatus {
        guard let number = failures.keys.first else { return .success }
        guard failures.count == 1 else { return .someFailed }
        if number == ExitStatus.temporary.number { return .temporary }
        let same = Self.known.first { $0.number == number }
        return made + skipped == 0 ? same ?? .someFailed : .someFailed
    }

    private static let known: [ExitStatus] = [
        .usage, .badData, .noInput, .unavailable, .software, .cannotCreate, .inputOutput, .limit,
        .noPermission,
    ]

    /// One sentence for people; `left` is for a run that ended early.
    func sentence(seconds: Double, left: Int? = nil) -> String {
        var parts = ["\(made) made"]
        if skipped > 0 { parts.append("\(skipped) there already") }
        if failed > 0 {
            let isTemporary = status == .temporary
            parts.append("\(failed) failed" + (isTemporary ? " (and may go better later)" : ""))
        }
        if let left { parts.append("\(left) left") }
        let tenths = Int((seconds * 10).rounded())
        let rate = seconds > 0.2 && made > 0 ? ", \(Int(Double(made) / seconds)) a second" : ""
        return parts.joined(separator: ", ") + " in \(tenths / 10).\(tenths % 10) s" + rate + "."
    }

    /// What `--json` and the last event say.
    var json: [(String, JSONValue)] {
        [
            ("made", .integer(made)), ("skipped", .integer(skipped)), ("failed", .integer(failed)),
            ("bytes", .integer(bytes)),
        ]
    }
}
