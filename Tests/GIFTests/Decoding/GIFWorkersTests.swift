import Glibc
import LazyBase
import LazyMedia
import Testing

@testable import LazyCodecs

@Suite struct GIFWorkersTests {
    /// The reader waits for nothing here, so that only a worker can have run the jobs.
    @Test(.timeLimit(.minutes(1))) func `a worker runs submitted jobs by itself`() throws {
        let workers = GIFWorkers(cancellation: CancellationFlag())
        workers.start(1)
        defer { workers.stop() }
        let jobs = try (0..<3).map { _ in try GIFImageJob() }
        for job in jobs { workers.submit(job) }
        while workers.jobs.withLock({ _ in jobs.contains { $0.state != .done } }) { sched_yield() }
    }
}
