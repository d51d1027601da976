internal import LazyBase

/// Runs all items of a batch, several at once, with a journal of existing outputs.
///
/// ```swift
/// let journal = try Journal("thumbnails.jsonl")
/// try await BatchRun(items, journal: journal, rules: BatchRules(jobs: 4)).run { @Sendable index, outcome in
///     print(items[index].input.label, outcome)
/// }
/// ```
/// Several processes may run the same items with the same journal: each item is made by one of them.
public struct BatchRun<Product: BatchProduct>: Sendable {
    /// Follows the work; called from the threads that do it.
    public struct Observer: Sendable {
        /// The work on an item begins.
        public var didStart: @Sendable (_ index: Int) -> Void
        /// A share of an item is done, 0 to 1.
        public var didAdvance: @Sendable (_ index: Int, _ share: Double) -> Void

        /// Makes an observer.
        public init(
            didStart: @escaping @Sendable (_ index: Int) -> Void = { _ in },
            didAdvance: @escaping @Sendable (_ index: Int, _ share: Double) -> Void = { _, _ in }
        ) {
            self.didStart = didStart
            self.didAdvance = didAdvance
        }
    }

    /// Threads that work which never ends may keep.
    private static var spareThreads: Int { 64 }
    /// So many items are looked at together: passing one from thread to thread takes longer than looking.
    private static var glance: Int { 64 }

    private let items: [BatchItem<Product>]
    private let journal: Journal?
    private let rules: BatchRules
    private let observer: Observer

    /// Makes a run; without a journal nothing is skipped and nothing remembered.
    public init(
        _ items: [BatchItem<Product>], journal: Journal? = nil, rules: BatchRules = BatchRules(),
        observer: Observer = Observer()
    ) {
        self.items = items
        self.journal = journal
        self.rules = rules
        self.observer = observer
    }

    /// Makes everything that is not made yet.
    ///
    /// `didEnd` gets the outcome of each item, one at a time; what it throws ends the run, and so does a failure whose
    /// effect is `endsRun`. Throws `cancelled` where the task was cancelled.
    public func run(
        didEnd: (_ index: Int, BatchOutcome<Product>) throws(BatchFailure) -> Void
    ) async throws(BatchFailure) {
        let pool = BlockingPool.jobs(rules.jobs, spare: Self.spareThreads)
        var rest = try await unmade(pool, didEnd: didEnd)
        // Items that other processes work on come last: most of them are made by then.
        for waits in [false, true] {
            let turn = rest
            rest = []
            let isComplete: Bool
            do throws(ConcurrentMap.Failure<BatchFailure>) {
                isComplete = try await ConcurrentMap.run(turn, jobs: rules.jobs) { _, index in
                    await attempt(index, pool, waits: waits).run()
                } didEnd: { (place, outcome) throws(BatchFailure) in
                    guard let outcome else { return rest.append(turn[place]) }
                    if case .failed(let failure) = outcome, failure.effect == .endsRun {
                        throw failure
                    }
                    try didEnd(turn[place], outcome)
                }
            } catch {
                throw BatchFailure(error)
            }
            if !isComplete { throw .cancelled }
        }
    }

    /// Reports what is made already, and returns the rest.
    private func unmade(
        _ pool: BlockingPool,
        didEnd: (_ index: Int, BatchOutcome<Product>) throws(BatchFailure) -> Void
    ) async throws(BatchFailure) -> [Int] {
        guard journal != nil, !rules.isForced else { return Array(items.indices) }
        let starts = Array(stride(from: 0, to: items.count, by: Self.glance))
        var rest: [Int] = []
        let isComplete: Bool
        do throws(ConcurrentMap.Failure<BatchFailure>) {
            isComplete = try await ConcurrentMap.run(starts, jobs: rules.jobs) { _, start in
                items[start...].prefix(Self.glance).indices.map { index in
                    (index, attempt(index, pool, waits: false).outcomeIfMade())
                }
            } didEnd: { (_, outcomes) throws(BatchFailure) in
                for (index, outcome) in outcomes {
                    if let outcome { try didEnd(index, outcome) } else { rest.append(index) }
                }
            }
        } catch {
            throw BatchFailure(error)
        }
        if !isComplete { throw .cancelled }
        return rest.sorted()
    }

    private func attempt(
        _ index: Int, _ pool: BlockingPool, waits: Bool
    ) -> BatchAttempt<Product> {
        let observer = observer
        return BatchAttempt(
            item: items[index], journal: journal, rules: rules, pool: pool, waits: waits,
            didStart: { observer.didStart(index) },
            didAdvance: { observer.didAdvance(index, $0) })
    }
}

extension BatchFailure {
    fileprivate init(_ error: ConcurrentMap.Failure<BatchFailure>) {
        switch error {
        case .handler(let failure): self = failure
        case .noThread(let error):
            self.init(
                .endsRun, "environment",
                "The system cannot start a thread for the items: \(error).",
                underlying: error)
        }
    }
}
