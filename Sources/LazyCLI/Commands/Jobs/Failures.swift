import Glibc
internal import LazyBase
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

/// Collects the failures of several inputs, so that one does not stop the others.
struct Failures: Sendable {
    private let isAlone: Bool
    private let asJSON: Bool
    private var count = 0

    init(_ inputs: [Input], asJSON: Bool) {
        self.init(isAlone: inputs.isSingle, asJSON: asJSON)
    }

    init(isAlone: Bool, asJSON: Bool) {
        self.isAlone = isAlone
        self.asJSON = asJSON
    }

    /// Adds the failure of one input and returns it for the report.
    ///
    /// Throws it if it is the only input, or if it is not an error of the input: a full
    /// disk, a closed pipe or a signal ends the whole run.
    mutating func add(_ failure: CommandFailure) throws(CommandFailure) -> JSONValue {
        guard !isAlone, failure.input != nil, !failure.status.isInterruption else { throw failure }
        count += 1
        _ = failure.report(asJSON: asJSON)
        return failure.json
    }

    /// Throws if there were failures.
    func finish() throws(CommandFailure) {
        if count > 0 { throw .someFailed }
    }
}

extension CommandFailure {
    /// Whether it is of the output of one input, so that the others may have theirs.
    ///
    /// A name that is taken is, and a folder in which nobody may write, unless it is the one that was named for all. A
    /// full disk, a closed pipe and a signal are not.
    func isOfOneOutput(in folder: String?) -> Bool {
        if status == .cannotCreate { return true }
        guard code == "permission", input == nil else { return false }
        guard let folder, FileKind(folder) == .folder else { return true }
        return access(folder.systemPath, W_OK | X_OK) == 0
    }

    /// Some inputs failed, and each was reported on its own.
    static let someFailed = CommandFailure(.someFailed, "someFailed", "Some inputs failed.")
}

/// Warnings for people.
enum Warnings {
    /// The most lines for one input.
    private static let maxLines = 3

    /// Prints the warnings on standard error: one in a line, and the number of those beyond some.
    static func say(_ warnings: [MediaWarning], about input: Input, asJSON: Bool) {
        var seen: Set<MediaWarning> = []
        let messages = warnings.filter { seen.insert($0).inserted }.map(\.message)
        guard !messages.isEmpty else { return }
        if asJSON {
            Console.say(
                JSONValue.object([
                    ("input", .name(input.label)), ("warnings", warnings.value),
                ]).line)
        } else {
            let rest = messages.count - maxLines
            for (index, message) in messages.prefix(maxLines).enumerated() {
                let more = index + 1 == maxLines && rest > 0 ? " (and \(rest) more)" : ""
                Console.say("lazyimg: warning: \(input.label): \(message)\(more)")
            }
        }
    }
}
