import Glibc

/// Threads of our own for work that blocks: decoding, encoding, reading files.
///
/// The cooperative pool has as many threads as cores; two decodes on it would stop everything
/// else in the process. Use it as an executor preference, or through `run`.
public final class BlockingPool: TaskExecutor, @unchecked Sendable {
    // Unchecked: `jobs` and `idle` are touched only between `lock` and `unlock`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var jobs: [UnownedJob] = []
    private var firstJob = 0
    private var threads = 0
    private var idle = 0
    private let width: Int

    /// The pool that decoding uses; as many threads as the process has cores, and two at least.
    public static let shared = BlockingPool(width: max(2, BlockingPool.coreCount))

    /// The pool for reading and writing files, which waits for disks and not for cores.
    public static let disk = BlockingPool(width: 4)

    /// The number of cores the process may run on.
    public static var coreCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// Makes a pool of so many threads; each is started when there is work for it, and stays.
    public init(width: Int) {
        self.width = width
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    /// Takes a job from the concurrency runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        pthread_mutex_lock(mutex)
        jobs.append(UnownedJob(job))
        let needsThread = jobs.count - firstJob > idle && threads < width
        if needsThread { threads += 1 } else { pthread_cond_signal(condition) }
        pthread_mutex_unlock(mutex)
        if needsThread { startThread() }
    }

    /// Runs blocking work on the pool and waits for its result without blocking.
    public func run<Result: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let outcome = await Task(executorPreference: self) {
            () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try work()) } catch { return .failure(error) }
        }.value
        return try outcome.get()
    }

    /// Does work that blocks between its waits, all of it on the pool, wherever it is called.
    ///
    /// Child tasks of the work run on the pool too. It is the caller's task that works, so that
    /// cancelling that one cancels the work.
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

    private func startThread() {
        var thread = pthread_t()
        // A pool lives as long as the process: each thread holds it.
        let context = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<BlockingPool>.fromOpaque(context).takeUnretainedValue().work()
            }, context)
        precondition(status == 0, "the system gives no more threads")
        pthread_detach(thread)
    }

    private func work() -> Never {
        while true { takeJob().runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func takeJob() -> UnownedJob {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while firstJob == jobs.count {
            idle += 1
            pthread_cond_wait(condition, mutex)
            idle -= 1
        }
        let job = jobs[firstJob]
        firstJob += 1
        if firstJob == jobs.count || firstJob == 1024 {
            jobs.removeFirst(firstJob)
            firstJob = 0
        }
        return job
    }
}
