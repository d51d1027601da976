import Synchronization

/// A switch that ends work in another thread, down to the C library; once set it stays set.
public final class CancellationFlag: Sendable {
    private struct Listeners {
        var last = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }
    private let flag = Atomic<Bool>(false)
    private let listeners = Locked(Listeners())

    /// Makes a flag that is not set.
    public init() {}

    /// Whether the work is to end.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Ends the work.
    public func cancel() {
        flag.store(true, ordering: .relaxed)
        let actions = listeners.withLock { listeners in
            defer { listeners.actions = [:] }
            return Array(listeners.actions.values)
        }
        for action in actions { action() }
    }

    /// Calls an action once the flag is set, in the thread that sets it; at once if it is set.
    ///
    /// Returns a number for `forget(_:)`. For waking what waits; the flag is set by then.
    public func onCancel(_ action: @escaping @Sendable () -> Void) -> Int {
        let (number, isLate) = listeners.withLock { listeners in
            listeners.last += 1
            // Under the lock: `cancel` sets the flag before it looks at the listeners.
            let isLate = isCancelled
            if !isLate { listeners.actions[listeners.last] = action }
            return (listeners.last, isLate)
        }
        if isLate { action() }
        return number
    }

    /// Drops an action.
    public func forget(_ number: Int) {
        listeners.withLock { $0.actions[number] = nil }
    }
}
