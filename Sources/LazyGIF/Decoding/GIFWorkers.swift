internal import Glibc
internal import LazyMedia

/// Threads that decompress images while the reader's thread composes.
///
/// The reader submits jobs in reading order and may finish them in any order; instead of waiting,
/// its thread runs jobs too.
final class GIFWorkers: @unchecked Sendable {
    // Unchecked: all below is accessed only under the mutex, except `threads`, which the owner's
    // thread uses.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let hasWork: UnsafeMutablePointer<pthread_cond_t>
    private let hasResult: UnsafeMutablePointer<pthread_cond_t>
    private var waiting: [GIFImageJob] = []
    private var idle = 0
    private var isStopping = false
    private var threads: [pthread_t] = []
    private let cancellation: CancellationFlag

    init(cancellation: CancellationFlag) {
        self.cancellation = cancellation
        mutex = .allocate(capacity: 1)
        hasWork = .allocate(capacity: 1)
        hasResult = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(hasWork, nil)
        pthread_cond_init(hasResult, nil)
    }

    deinit {
        precondition(threads.isEmpty, "stop() comes before the end")
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(hasWork)
        pthread_cond_destroy(hasResult)
        mutex.deallocate()
        hasWork.deallocate()
        hasResult.deallocate()
    }

    /// Starts threads; where the system refuses, the reader's thread does all the work.
    func start(_ count: Int) {
        for _ in 0..<count {
            var thread = pthread_t()
            // Not retained: `stop` joins the threads before the owner releases this object.
            let context = Unmanaged.passUnretained(self).toOpaque()
            let status = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<GIFWorkers>.fromOpaque(context).takeUnretainedValue().work()
                    return nil
                }, context)
            if status == 0 { threads.append(thread) }
        }
    }

    /// Ends the threads; waiting jobs are discarded.
    func stop() {
        pthread_mutex_lock(mutex)
        isStopping = true
        for job in waiting { job.state = .idle }
        waiting = []
        pthread_cond_broadcast(hasWork)
        pthread_mutex_unlock(mutex)
        for thread in threads { pthread_join(thread, nil) }
        threads = []
    }

    /// Submits a loaded job.
    func submit(_ job: GIFImageJob) {
        pthread_mutex_lock(mutex)
        job.state = .waiting
        waiting.append(job)
        if idle > 0 { pthread_cond_signal(hasWork) }
        pthread_mutex_unlock(mutex)
    }

    /// Waits until a submitted job is done; runs it, or others, while waiting.
    func finish(_ job: GIFImageJob) {
        pthread_mutex_lock(mutex)
        while job.state != .done {
            if let place = waiting.firstIndex(where: { $0 === job }) ?? waiting.indices.first {
                runUnlocked(waiting.remove(at: place))
            } else {
                pthread_cond_wait(hasResult, mutex)
            }
        }
        pthread_mutex_unlock(mutex)
    }

    /// Abandons a submitted job.
    func abandon(_ job: GIFImageJob) {
        pthread_mutex_lock(mutex)
        waiting.removeAll { $0 === job }
        if job.state == .waiting { job.state = .idle }
        job.abandonment.cancel()
        while job.state == .running { pthread_cond_wait(hasResult, mutex) }
        pthread_mutex_unlock(mutex)
    }

    private func work() {
        pthread_mutex_lock(mutex)
        while !isStopping {
            if waiting.isEmpty {
                idle += 1
                pthread_cond_wait(hasWork, mutex)
                idle -= 1
            } else {
                runUnlocked(waiting.removeFirst())
            }
        }
        pthread_mutex_unlock(mutex)
    }

    /// Unlocks the mutex while a job runs.
    private func runUnlocked(_ job: GIFImageJob) {
        job.state = .running
        pthread_mutex_unlock(mutex)
        job.run(cancellation)
        pthread_mutex_lock(mutex)
        job.state = .done
        pthread_cond_broadcast(hasResult)
    }
}
