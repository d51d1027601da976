import Glibc

/// A pool of threads for blocking work: decoding, encoding, reading files.
///
/// The cooperative pool has one thread for each core; two decodes on it would stop everything else
/// in the process. Use it as an executor preference, or through `run`.
public final class BlockingPool: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var firstJob = 0
        var threads = 0
        var idle = 0

        var waitingCount: Int { jobs.count - firstJob }
    }
    private let state = LockedCondition(State())
    private let idleTime: Duration
    private let makeThread: ThreadMaking

    /// Starts a thread that runs some work, or throws.
    typealias ThreadMaking =
        @Sendable (_ work: @escaping @Sendable () -> Void) throws(SystemError)
        -> Void

    /// The maximum number of threads.
    public let width: Int

    /// The number of cores available to the process when it was first asked for; the system reads a file for it.
    public static let coreCount = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))

    /// Makes a pool; each thread is started when there is work for it.
    ///
    /// A thread that is idle for a few seconds ends, and with the last one the pool, unless somebody
    /// else holds it. If the system refuses a thread, the others do the work.
    public convenience init(width: Int) {
        self.init(width: width, idleTime: .seconds(5)) { work throws(SystemError) in
            try DetachedThread.start(work)
        }
    }

    init(width: Int, idleTime: Duration, makeThread: @escaping ThreadMaking) {
        self.width = max(1, width)
        self.idleTime = idleTime
        self.makeThread = makeThread
    }

    /// The current number of threads.
    public var threadCount: Int { state.withLock { $0.threads } }

    /// Ensures that the pool has a thread; throws if the system refuses one.
    ///
    /// Without a thread of its own, the pool runs its work on Swift's global executor.
    public func requireThread() throws(SystemError) {
        let isMissing = state.withLock { state in
            defer { state.threads = max(1, state.threads) }
            return state.threads == 0
        }
        if isMissing, let refusal = addThread() { throw refusal }
    }

    /// Makes the calling thread one of the pool for the rest of the process, and starts a task on it.
    package func workForever(_ task: @escaping @Sendable () async -> Void) -> Never {
        // Idle threads take jobs before others are started.
        state.withLock { state in
            state.threads += 1
            state.idle += 1
        }
        Task.detached(executorPreference: self) { await task() }
        state.withLock { $0.idle -= 1 }
        while true {
            // Ends after some idle time.
            work()
            state.withLock { $0.threads += 1 }
        }
    }

    /// Takes a job from the concurrency runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let worker = PoolWorker.current, worker.take(job, of: self) { return }
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.waitingCount > state.idle, state.threads < width else { return false }
            state.threads += 1
            return true
        }
        if needsThread { addThread() } else { state.signal() }
    }

    /// Runs blocking work on the pool and waits for its result without blocking.
    ///
    /// On a thread of the pool it runs at once.
    public func run<Result: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        // Where the task prefers this pool, a function without isolation is on one of its threads.
        let preferred = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
        if preferred == asUnownedTaskExecutor() { return try work() }
        return try await working { () async throws(Failure) -> Result in try work() }
    }

    /// Runs asynchronous work that also blocks, all of it on the pool.
    ///
    /// Child tasks of the work run on the pool too. The work belongs to the caller's task, so that
    /// cancelling the task cancels the work.
    public func working<Result: Sendable, Failure: Error>(
        _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let outcome = await withTaskExecutorPreference(self) {
            () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try await work()) } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Starts a thread that is already counted; returns the error if the system refuses it.
    @discardableResult
    private func addThread() -> SystemError? {
        do throws(SystemError) {
            // Each thread retains the pool until it ends.
            try makeThread { self.work() }
            return nil
        } catch {
            // The remaining threads do all the work; without one, the global executor does.
            let orphans = state.withLock { state -> [UnownedJob] in
                state.threads -= 1
                guard state.threads == 0 else { return [] }
                defer { (state.jobs, state.firstJob) = ([], 0) }
                return Array(state.jobs[state.firstJob...])
            }
            state.signal()
            for job in orphans { globalConcurrentExecutor.enqueue(job) }
            return error
        }
    }

    /// Runs jobs until there has been none for a while.
    private func work() {
        PoolWorker.asCurrent(of: self) { worker in
            while let job = worker.next.take() ?? takeJob() {
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    /// Waits for a job; nil ends the thread, which is then no longer counted.
    private func takeJob() -> UnownedJob? {
        var isIdle = false
        return state.wait(for: idleTime) { state, isTimedOut in
            if isIdle { state.idle -= 1 }
            isIdle = state.waitingCount == 0 && !isTimedOut
            if isIdle {
                state.idle += 1
                return nil
            }
            guard state.waitingCount > 0 else {
                state.threads -= 1
                return nil
            }
            defer {
                state.firstJob += 1
                if state.firstJob == state.jobs.count || state.firstJob == 1024 {
                    state.jobs.removeFirst(state.firstJob)
                    state.firstJob = 0
                }
            }
            return state.jobs[state.firstJob]
        }
    }
}
