internal import LazyBytes

/// Whether previews of a work are made: from when the first who wants them comes, until its end.
final class PreviewSwitch: Sendable {
    private struct State {
        var isOn = false
        var isOver = false
        var make: (@Sendable () async -> Void)?
        var task: Task<Void, Never>?
    }
    private let state = Locked(State())

    /// Whether somebody has wanted previews.
    var isOn: Bool { state.withLock { $0.isOn } }

    /// Somebody wants previews, now or when they can be made.
    func turnOn() {
        state.withLock { $0.isOn = true }
        beginIfDue()
    }

    /// Tells how they are made, once that is possible.
    func offer(_ make: @escaping @Sendable () async -> Void) {
        state.withLock { $0.make = make }
        beginIfDue()
    }

    /// Ends what is being made; nothing is begun any more.
    func end() {
        let task = state.withLock { state in
            state.isOver = true
            state.make = nil
            return state.task.take()
        }
        task?.cancel()
    }

    private func beginIfDue() {
        let make = state.withLock { state -> (@Sendable () async -> Void)? in
            guard state.isOn, !state.isOver, state.task == nil else { return nil }
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
}
