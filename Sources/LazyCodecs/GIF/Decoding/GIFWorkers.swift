internal import Glibc
internal import LazyBase

/// Threads that decompress images while the reader's thread composes.
///
/// The reader submits jobs in reading order and may finish them in any order; instead of waiting,
/// its thread runs jobs too.
final class GIFWorkers: @unchecked Sendable {
    /// The states of the jobs are under this lock, too.
    struct Jobs {
        var waiting: [GIFImageJob] = []
        var isReaderWaiting = false
        var isStopping = false

        mutating func take(at place: Int) -> GIFImageJob {
            let job = waiting.remove(at: place)
            job.state = .running
            return job
        }
    }

    let jobs = LockedCondition(Jobs())
    // Unchecked: only the owner's thread uses it.
    private var threads: [pthread_t] = []
    private let cancellation: CancellationFlag

    init(cancellation: CancellationFlag) { self.cancellation = cancellation }

    deinit { precondition(threads.isEmpty, "stop() comes before the end") }

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
        jobs.withLock { jobs in
            jobs.isStopping = true
            for job in jobs.waiting { job.state = .idle }
            jobs.waiting = []
        }
        jobs.broadcast()
        for thread in threads { pthread_join(thread, nil) }
        threads = []
    }

    /// Submits a loaded job.
    func submit(_ job: GIFImageJob) {
        jobs.withLock { jobs in
            job.state = .waiting
            jobs.waiting.append(job)
        }
        // The reader, which submits, does not wait: this wakes a worker, if any is idle.
        jobs.signal()
    }

    /// Waits until a submitted job is done; runs it, or others, while waiting.
    func finish(_ job: GIFImageJob) {
        while case .run(let next) = jobs.wait({ Self.turn(&$0, before: job) }) { run(next) }
    }

    /// Abandons a submitted job.
    func abandon(_ job: GIFImageJob) {
        job.abandonment.cancel()
        jobs.wait { jobs -> Void? in
            jobs.waiting.removeAll { $0 === job }
            if job.state == .waiting { job.state = .idle }
            jobs.isReaderWaiting = job.state == .running
            return jobs.isReaderWaiting ? nil : ()
        }
    }

    /// What a thread does next.
    private enum Turn {
        case run(GIFImageJob)
        case end
    }

    /// The next turn of the reader's thread until `job` is done; nil if it has to wait for a worker.
    private static func turn(_ jobs: inout Jobs, before job: GIFImageJob) -> Turn? {
        jobs.isReaderWaiting = job.state != .done && jobs.waiting.isEmpty
        if job.state == .done { return .end }
        if jobs.isReaderWaiting { return nil }
        return .run(jobs.take(at: jobs.waiting.firstIndex { $0 === job } ?? 0))
    }

    /// The next turn of a worker; nil if it has to wait for a job.
    private static func turn(_ jobs: inout Jobs) -> Turn? {
        if jobs.isStopping { return .end }
        if jobs.waiting.isEmpty { return nil }
        return .run(jobs.take(at: 0))
    }

    private func work() {
        while case .run(let job) = jobs.wait(Self.turn) { run(job) }
    }

    private func run(_ job: GIFImageJob) {
        job.run(cancellation)
        let isReaderWaiting = jobs.withLock { jobs in
            job.state = .done
            return jobs.isReaderWaiting
        }
        if isReaderWaiting { jobs.broadcast() }
    }
}
