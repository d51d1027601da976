package import LazyBase

extension BatchItem {
    /// Whether it is made already, by the journal and the files alone; reads no input.
    package func isMade(_ journal: Journal, _ rules: BatchRules, _ pool: BlockingPool) -> Bool {
        attempt(journal, rules, pool, didStart: {}).outcomeIfMade() != nil
    }

    /// Makes it unless it is made already, also by another process, which is waited for.
    package func make(
        _ journal: Journal, _ rules: BatchRules, _ pool: BlockingPool,
        didStart: @escaping @Sendable () -> Void
    ) async -> BatchOutcome<Product> {
        await attempt(journal, rules, pool, didStart: didStart).run() ?? .failed(.cancelled)
    }

    private func attempt(
        _ journal: Journal, _ rules: BatchRules, _ pool: BlockingPool,
        didStart: @escaping @Sendable () -> Void
    ) -> BatchAttempt<Product> {
        BatchAttempt(
            item: self, journal: journal, rules: rules, pool: pool, waits: true,
            didStart: didStart, didAdvance: { _ in })
    }
}
