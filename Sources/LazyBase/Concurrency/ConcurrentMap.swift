/// Work on many items, several at once.
package enum ConcurrentMap {
    /// Why it ended early.
    package enum Failure<Handler: Error>: Error {
        /// The handler of the results threw.
        case handler(Handler)
        /// The system gives no thread.
        case noThread(SystemError)
    }

    /// Does the work for each item and passes the results on as they come, one at a time.
    ///
    /// The work may block; of many jobs as many block at a time as the cores allow, and as many run at a time as
    /// the process may open files for. What `didEnd`
    /// throws cancels the rest. Returns false where the task was cancelled.
    package static func run<Item: Sendable, Output: Sendable, Handler: Error>(
        _ items: [Item], jobs: Int, _ work: @escaping @Sendable (Int, Item) async -> Output,
        didEnd: (Int, Output) throws(Handler) -> Void
    ) async throws(Failure<Handler>) -> Bool {
        // Jobs that find no descriptor would fail for that alone.
        let jobs = DescriptorBudget.jobs(min(jobs, items.count))
        let pool = BlockingPool.jobs(jobs)
        do throws(SystemError) { try pool.requireThread() } catch { throw .noThread(error) }
        var failure: Handler?
        await withTaskGroup(of: (Int, Output).self) { group in
            var rest = items.enumerated().makeIterator()
            let begin = { (group: inout TaskGroup<(Int, Output)>) in
                guard let (index, item) = rest.next() else { return }
                group.addTask(executorPreference: pool) { (index, await work(index, item)) }
            }
            for _ in 0..<max(1, jobs) { begin(&group) }
            while let (index, output) = await group.next() {
                guard failure == nil else { continue }
                do throws(Handler) {
                    try didEnd(index, output)
                    if !Task.isCancelled { begin(&group) }
                } catch {
                    failure = error
                    group.cancelAll()
                }
            }
        }
        if let failure { throw .handler(failure) }
        return !Task.isCancelled
    }
}
