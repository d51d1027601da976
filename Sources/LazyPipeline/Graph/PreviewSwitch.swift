internal import LazyBase

/// Whether previews of a node are made: from when the first subscriber wants them until its end.
final class PreviewSwitch: Sendable {
    private struct State {
        var isWanted = false
        var isInMemory = false
        var isOver = false
        var make: (@Sendable () async -> Void)?
        var task: Task<Void, Never>?
    }
    private let state = Locked(State())

    /// Whether a subscriber wants previews; call `startIfDue` after setting it.
    var isWanted: Bool {
        get { state.withLock { $0.isWanted } }
        set { state.withLock { $0.isWanted = newValue } }
    }

    /// Whether the first preview was in memory, or is made of one that was; all tasks receive it.
    var isInMemory: Bool {
        get { state.withLock { $0.isInMemory } }
        set { state.withLock { $0.isInMemory = newValue } }
    }

    /// Sets how previews are made, once they can be.
    func offer(_ make: @escaping @Sendable () async -> Void) {
        state.withLock { $0.make = make }
        startIfDue()
    }

    /// Starts making previews if they are wanted and can be made.
    func startIfDue() {
        let make = state.withLock { state -> (@Sendable () async -> Void)? in
            guard state.isWanted, !state.isOver, state.task == nil else { return nil }
            return state.make.take()
        }
        guard let make else { return }
        // Owned by this switch, which cancels it at its end.
        let task = Task { await make() }
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    /// Cancels the current preview; no other one starts.
    func end() {
        let task = state.withLock { state in
            state.isOver = true
            state.make = nil
            return state.task.take()
        }
        task?.cancel()
    }
}
