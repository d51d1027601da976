import LazyBase

/// An event that a test triggers or waits for, without a clock.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var actions: [@Sendable () -> Void] = []
    }
    private let state = Locked(State())

    /// Makes a closed gate.
    public init() {}

    /// Whether it is open.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Opens the gate permanently.
    public func open() {
        let actions = state.withLock { state in
            state.isOpen = true
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions { action() }
    }

    /// Waits until the gate is open.
    public func opened() async {
        await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
    }

    /// Calls an action when the gate is open, at once if it is.
    public func whenOpen(_ action: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.actions.append(action) }
            return state.isOpen
        }
        if isOpen { action() }
    }
}
