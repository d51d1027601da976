import Synchronization

/// A flag that ends work in another thread, down to the C library; once set it stays set.
public final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    private let lastID = Atomic<Int>(0)
    private let actions = Locked<[Int: @Sendable () -> Void]>([:])

    /// Makes a flag that is not set.
    public init() {}

    /// Whether the work must end.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Sets the flag.
    public func cancel() {
        flag.store(true, ordering: .relaxed)
        let actions = actions.withLock { actions in
            defer { actions = [:] }
            return Array(actions.values)
        }
        for action in actions { action() }
    }

    /// Calls an action when the flag is set, on the thread that sets it; at once if it is set.
    ///
    /// Returns an ID for `forget(_:)`. Used to wake a waiting thread.
    public func onCancel(_ action: @escaping @Sendable () -> Void) -> Int {
        let id = lastID.add(1, ordering: .relaxed).newValue
        let isLate = actions.withLock { actions in
            // Under the lock: `cancel` sets the flag before it reads the actions.
            let isLate = isCancelled
            if !isLate { actions[id] = action }
            return isLate
        }
        if isLate { action() }
        return id
    }

    /// Removes an action.
    public func forget(_ id: Int) { actions.withLock { $0[id] = nil } }
}
