internal import LazyBase
internal import LazyBatch
internal import LazyMedia

/// `--jsonl`: events as JSON lines on standard output, complete lines only.
///
/// The first caller writes its line and those that other callers add until it is done: lines stay
/// complete and in order, and nothing is written under the lock.
final class BatchEvents: Sendable {
    private struct State {
        var waiting: [String] = []
        var isWriting = false
        var failure: CommandFailure?
    }
    private let state = Locked(State())
    private let write: @Sendable (String) throws(CommandFailure) -> Void

    /// Writes to standard output.
    convenience init() {
        self.init { (text) throws(CommandFailure) in try Console.print(text) }
    }

    init(write: @escaping @Sendable (String) throws(CommandFailure) -> Void) { self.write = write }

    /// The failure of writing that ended the output, or nil.
    var failure: CommandFailure? { state.withLock { $0.failure } }

    /// Writes one event.
    func emit(_ event: String, _ item: BatchEntry?, _ members: [(String, JSONValue)] = []) {
        var all: [(String, JSONValue)] = [("event", .string(event))]
        if let item {
            all.append(("input", .name(item.input.label)))
            all.append(("output", .name(item.item.outputs.first ?? "-")))
        }
        emit(JSONValue.object(all + members))
    }

    /// Writes the event of an input that was made.
    func emit(_ made: JobReport, _ entry: BatchEntry) {
        emit(
            "done", entry,
            [
                ("outputs", .names(made.outputs)), ("bytes", .integer(made.byteCount)),
                ("frames", .integer(made.frameCount)), ("result", made.json),
            ])
    }

    /// Writes the event of a failure.
    func emit(_ failure: CommandFailure, _ entry: BatchEntry?) {
        guard case .object(let root) = failure.json, case .object(let members)? = root.first?.1
        else { return }
        let rest = members.filter { $0.0 != "input" }
        if let entry { return emit("error", entry, rest) }
        let head: [(String, JSONValue)] = [
            ("event", .string("error")), ("input", .name(orNull: failure.input)),
            ("output", .null),
        ]
        emit(JSONValue.object(head + rest))
    }

    /// Writes a line.
    func emit(_ value: JSONValue) {
        let line = value.line + "\n"
        let isFree = state.withLock { state in
            state.waiting.append(line)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFree { writeAll() }
    }

    private func writeAll() {
        while let text = takeWaiting() {
            do throws(CommandFailure) {
                try write(text)
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }
    }

    private func takeWaiting() -> String? {
        state.withLock { state in
            if state.waiting.isEmpty || state.failure != nil {
                state.waiting = []
                state.isWriting = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting.joined()
        }
    }
}
