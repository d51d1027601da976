internal import LazyBase
internal import LazyMedia

/// Compresses planned frames in parallel and writes them in order.
struct APNGCompressor {
    /// The most bytes of pixels that wait for compression.
    private static let maxBytes = 16 << 20

    private let mode: APNGMode
    private let effort: APNGEffort
    private let threads: Int
    private var planner: APNGPlanner
    private var waiting: [APNGJob] = []
    private var waitingBytes = 0

    init(_ mode: APNGMode, _ effort: APNGEffort, threads: Int) {
        self.mode = mode
        self.effort = effort
        self.threads = threads
        planner = APNGPlanner(mode, effort)
    }

    /// Adds a frame; false where the mode cannot represent one of the waiting frames.
    mutating func append(
        _ bitmap: Bitmap, delay: APNGDelay, to put: (APNGJob) throws(MediaError) -> Void
    ) async throws(MediaError) -> Bool {
        guard let settled = try planner.add(bitmap, delay: delay) else { return true }
        return try await add(settled, put)
    }

    /// Compresses the remaining frames.
    mutating func finish(
        to put: (APNGJob) throws(MediaError) -> Void
    ) async throws(MediaError) -> Bool {
        if let last = planner.finish() { waiting.append(last) }
        return try await compress(put)
    }

    private mutating func add(
        _ job: APNGJob, _ put: (APNGJob) throws(MediaError) -> Void
    ) async throws(MediaError) -> Bool {
        waiting.append(job)
        waitingBytes += job.pixels.count * 4
        guard
            waiting.count >= 4 * threads
                || waiting.count >= threads && waitingBytes >= Self.maxBytes
        else { return true }
        return try await compress(put)
    }

    private mutating func compress(
        _ put: (APNGJob) throws(MediaError) -> Void
    ) async throws(MediaError) -> Bool {
        if Task.isCancelled { throw .cancelled }
        let jobs = waiting
        (waiting, waitingBytes) = ([], 0)
        let (mode, effort) = (mode, effort)
        if threads > 1, jobs.count > 1 {
            await withTaskGroup(of: Void.self) { group in
                for job in jobs {
                    group.addTask(executorPreference: BlockingPool.shared) {
                        job.compress(mode, effort)
                    }
                }
            }
        } else {
            for job in jobs { job.compress(mode, effort) }
        }
        for job in jobs {
            if let failure = job.failure { throw failure }
            if job.isUnrepresentable { return false }
            try put(job)
        }
        return true
    }
}
