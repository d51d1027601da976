public import LazyLoading

/// Tells whether the network is constrained, and when that changes.
public protocol NetworkConditioning: AnyObject, Sendable {
    /// Whether loads are to be small.
    var isConstrained: Bool { get }

    /// The changes from now on, the present state before them or not; each use is its own stream.
    var changes: AsyncStream<Bool> { get }
}

extension NetworkConditions: NetworkConditioning {}

/// Owns the task that listens to the network's conditions; releasing it ends that.
final class ConditionsWatch: Sendable {
    private let listener: Task<Void, Never>

    /// Listens until the action returns false.
    init(
        _ conditions: any NetworkConditioning,
        _ didChange: @escaping @MainActor @Sendable (Bool) -> Bool
    ) {
        let changes = conditions.changes
        // Owned by this watch, which cancels it.
        listener = Task { @MainActor in
            for await isConstrained in changes {
                if Task.isCancelled || !didChange(isConstrained) { return }
            }
        }
    }

    deinit { listener.cancel() }
}
