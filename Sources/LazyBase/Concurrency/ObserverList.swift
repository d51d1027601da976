/// Actions that are called with each new value until their tokens are dropped.
package final class ObserverList<Value>: Sendable {
    private struct State {
        var lastID = 0
        var actions: [Int: @Sendable (Value) -> Void] = [:]
    }
    private let state = Locked(State())

    /// Makes an empty list.
    package init() {}

    /// Adds an action, which may be called on any thread.
    package func add(_ action: @escaping @Sendable (Value) -> Void) -> ObservationToken {
        let id = state.withLock { state in
            state.lastID += 1
            state.actions[state.lastID] = action
            return state.lastID
        }
        return ObservationToken { [self] in state.withLock { $0.actions[id] = nil } }
    }

    /// Calls all actions, on the caller's thread and outside of any lock.
    package func notify(_ value: Value) {
        for action in state.withLock({ Array($0.actions.values) }) { action(value) }
    }
}

/// Ends an observation when it is dropped.
public final class ObservationToken: Sendable {
    private let end: @Sendable () -> Void

    package init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
