internal import LazyMedia

/// Work on many things, several at once.
enum SideBySide {
    /// Does the work for each item and hands the outcomes on as they come, one after the other.
    ///
    /// The work may block, and leave so many threads blocked for good. What `didEnd` throws cancels
    /// the rest.
    static func run<Item: Sendable, Outcome: Sendable>(
        _ items: [Item], jobs: Int, spareThreads: Int = 0,
        _ work: @escaping @Sendable (Int, Item) async -> Outcome,
        didEnd: (Int, Outcome) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        let pool = BlockingPool(width: max(1, min(jobs, items.count)) + spareThreads)
        var failure: CommandFailure?
        await withTaskGroup(of: (Int, Outcome).self) { group in
            var rest = items.enumerated().makeIterator()
            let begin = { (group: inout TaskGroup<(Int, Outcome)>) in
                guard let (index, item) = rest.next() else { return }
                group.addTask(executorPreference: pool) { (index, await work(index, item)) }
            }
            for _ in 0..<max(1, jobs) { begin(&group) }
            while let (index, outcome) = await group.next() {
                guard failure == nil else { continue }
                do throws(CommandFailure) {
                    try didEnd(index, outcome)
                    if !Task.isCancelled { begin(&group) }
                } catch {
                    failure = error
                    group.cancelAll()
                }
            }
        }
        if let failure { throw failure }
        if Task.isCancelled { throw .cancelled }
    }
}
