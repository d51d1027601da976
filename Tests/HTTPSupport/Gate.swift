import LazyBytes

/// Something that happens once: a test opens it, or waits for it, without looking at a clock.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var actions: [@Sendable () -> Void] = []
    }
    private let state = Locked(State())

    /// Makes a gate that is shut.
    public init() {}

    /// Whether it was opened.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Opens the gate for good.
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

    /// Calls an action once the gate is open, at once if it is.
    public func whenOpen(_ action: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.actions.append(action) }
            return state.isOpen
        }
        if isOpen { action() }
    }
}
