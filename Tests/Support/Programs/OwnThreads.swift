import Glibc
public import Testing

/// Runs each test of a suite on threads of its own, one for every job of its tasks.
///
/// For tests that wait for another program: they block the thread that they run on, and all other
/// tests share a pool with one thread for each core.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    /// A suite hands it on to all its tests.
    public var isRecursive: Bool { true }

    /// Runs one case of a test, and what it starts, away from the shared threads.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(ThreadForEachJob()) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    /// See ``OwnThreads``.
    public static var ownThreads: Self { Self() }
}

private final class ThreadForEachJob: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let work = Unmanaged.passRetained(Work(job: UnownedJob(job), executor: self))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                work.job.runSynchronously(on: work.executor.asUnownedTaskExecutor())
                return nil
            }, work.toOpaque())
        precondition(status == 0, "no thread for a test")
        pthread_detach(thread)
    }
}

private final class Work {
    let job: UnownedJob
    let executor: ThreadForEachJob

    init(job: UnownedJob, executor: ThreadForEachJob) {
        self.job = job
        self.executor = executor
    }
}
