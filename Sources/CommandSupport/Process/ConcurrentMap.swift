package import LazyBytes
internal import LazyMedia

/// Work on many things, several at once.
package enum SideBySide {
    /// Does the work for each item and hands the outcomes on as they come, one after the other.
    ///
    /// The work may block, and leave so many threads blocked for good. Of many jobs as many block at a
    /// time as the cores allow. What `didEnd` throws cancels the rest.
    package static func run<Item: Sendable, Outcome: Sendable>(
        _ items: [Item], jobs: Int, spareThreads: Int = 0,
        _ work: @escaping @Sendable (Int, Item) async -> Outcome,
        didEnd: (Int, Outcome) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        let width = min(jobs, items.count, BlockingPool.mostBlocked)
        let pool = BlockingPool(width: max(1, width) + spareThreads)
        try pool.requireThread(for: "the inputs")
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

extension BlockingPool {
    /// The most threads of a pool whose work waits for disks and servers as well as for cores.
    package static let mostBlocked = 4 * max(2, coreCount)

    /// Sees to it that there is a thread, before the work begins.
    package func requireThread(for purpose: String) throws(CommandFailure) {
        do throws(SystemError) { try requireThread() } catch {
            throw CommandFailure(
                .unavailable, "environment", "The system gives no thread for \(purpose): \(error).",
                hint: "Fewer processes of this user, or a higher limit (ulimit -u), leave room.")
        }
    }
}
