import Glibc

/// Threads of our own for work that blocks: decoding, encoding, reading files.
///
/// The cooperative pool has as many threads as cores; two decodes on it would stop everything
/// else in the process. Use it as an executor preference, or through `run`.
public final class BlockingPool: TaskExecutor, @unchecked Sendable {
    // Unchecked: `jobs`, `threads` and `idle` are touched only between `lock` and `unlock`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var jobs: [UnownedJob] = []
    private var firstJob = 0
    private var threads = 0
    private var idle = 0
    private let idleTime: Duration
    private let makeThread: ThreadMaking

    /// Starts a thread that works for a pool it holds; returns what `pthread_create` does.
    typealias ThreadMaking = @Sendable (Unmanaged<BlockingPool>) -> CInt

    /// The most threads.
    public let width: Int

    /// The pool that decoding uses; as many threads as the process has cores, and two at least.
    public static let shared = BlockingPool(width: max(2, BlockingPool.coreCount))

    /// The pool for reading and writing files, which waits for disks and not for cores.
    public static let disk = BlockingPool(width: 4)

    /// The number of cores the process may run on.
    public static var coreCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// Makes a pool of so many threads; each is started when there is work for it.
    ///
    /// A thread without work ends after a few seconds, and with the last thread the pool, if nobody
    /// else holds it. Where the system gives no more threads, those that are there do the work.
    public convenience init(width: Int) {
        self.init(width: width, idleTime: .seconds(5), makeThread: Self.startThread)
    }

    init(width: Int, idleTime: Duration, makeThread: @escaping ThreadMaking) {
        self.width = max(1, width)
        self.idleTime = idleTime
        self.makeThread = makeThread
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    /// The number of threads at this moment.
    public var threadCount: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return threads
    }

    /// Sees to it that there is a thread; throws where the system gives none.
    ///
    /// For whoever wants to tell that before it begins. Without a thread of its own the pool leaves its
    /// work to the threads of Swift's concurrency.
    public func requireThread() throws(SystemError) {
        pthread_mutex_lock(mutex)
        let isMissing = threads == 0
        if isMissing { threads += 1 }
        pthread_mutex_unlock(mutex)
        if isMissing, let refusal = addThread() { throw refusal }
    }

    /// Takes a job from the concurrency runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        pthread_mutex_lock(mutex)
        jobs.append(UnownedJob(job))
        let needsThread = jobs.count - firstJob > idle && threads < width
        if needsThread { threads += 1 } else { pthread_cond_signal(condition) }
        pthread_mutex_unlock(mutex)
        if needsThread { addThread() }
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

    /// Starts a thread that is counted already; returns why the system refuses it, if it does.
    @discardableResult
    private func addThread() -> SystemError? {
        // Each thread holds the pool until it ends.
        let context = Unmanaged.passRetained(self)
        let status = makeThread(context)
        if status == 0 { return nil }
        context.release()
        pthread_mutex_lock(mutex)
        threads -= 1
        // Those that are there do all the work. Without one nobody ever would.
        let orphans = threads == 0 ? Array(jobs[firstJob...]) : []
        if threads == 0 {
            jobs.removeAll()
            firstJob = 0
        }
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
        for job in orphans { globalConcurrentExecutor.enqueue(job) }
        return SystemError(code: status)
    }

    static func startThread(_ context: Unmanaged<BlockingPool>) -> CInt {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<BlockingPool>.fromOpaque(context).takeRetainedValue().work()
                return nil
            }, context.toOpaque())
        if status == 0 { pthread_detach(thread) }
        return status
    }

    /// What a thread does: job after job, until there has been none for a while.
    private func work() {
        while let job = takeJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Waits for a job; nil where none comes, and then the thread is no more counted.
    private func takeJob() -> UnownedJob? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var deadline: timespec?
        while firstJob == jobs.count {
            var end = deadline ?? Self.moment(after: idleTime)
            deadline = end
            idle += 1
            let status = pthread_cond_timedwait(condition, mutex, &end)
            idle -= 1
            if status == ETIMEDOUT, firstJob == jobs.count {
                threads -= 1
                return nil
            }
        }
        let job = jobs[firstJob]
        firstJob += 1
        if firstJob == jobs.count || firstJob == 1024 {
            jobs.removeFirst(firstJob)
            firstJob = 0
        }
        return job
    }

    private static func moment(after length: Duration) -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let (seconds, attoseconds) = length.components
        let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
        time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        return time
    }
}
