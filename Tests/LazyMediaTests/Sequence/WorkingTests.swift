import Glibc
import LazyMedia
import Support
import Testing

@testable import LazyBase

@Suite struct WorkingTests {
    @Test func `work started on the main actor runs on the pool`() async throws {
        // The main actor may be busy for longer than an idle thread is kept.
        let pool = BlockingPool(width: 1, idleTime: .seconds(600)) { work throws(SystemError) in
            try DetachedThread.start(work)
        }
        let own = await pool.run { pthread_self() }
        let threads = await Self.onMain(pool)
        #expect(threads.allSatisfy { $0 == own })
        #expect(threads.count == 3)
    }

    @MainActor private static func onMain(_ pool: BlockingPool) async -> [pthread_t] {
        await Self.threads(pool)
    }

    private nonisolated static func threads(_ pool: BlockingPool) async -> [pthread_t] {
        await pool.working { () async -> [pthread_t] in
            var threads = [thread()]
            await Task.yield()
            threads.append(thread())
            await withTaskGroup(of: pthread_t.self) { group in
                group.addTask { thread() }
                for await one in group { threads.append(one) }
            }
            return threads
        }
    }

    private nonisolated static func thread() -> pthread_t { pthread_self() }

    @Test func `errors and cancellation pass through`() async throws {
        await #expect(throws: MediaError.self) {
            try await BlockingPool.shared.working { () async throws(MediaError) in
                throw MediaError(.unsupported, "No.")
            }
        }
        let started = AsyncStream<Void>.makeStream()
        let task = Task {
            await BlockingPool.shared.working { () async in
                started.continuation.yield()
                // Returns early where the task is cancelled.
                try? await Task.sleep(for: .seconds(60))
                return Task.isCancelled
            }
        }
        for await _ in started.stream { break }
        task.cancel()
        #expect(await task.value)
    }
}
