internal import LazyLoading

/// Owns the task that watches the network conditions; releasing it cancels the task.
final class ConditionsWatch: Sendable {
    private let listener: Task<Void, Never>

    /// Reports the current conditions and each change until the action returns false.
    init(
        _ conditions: NetworkConditions,
        _ didChange: @escaping @MainActor @Sendable (_ isConstrained: Bool) -> Bool
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
