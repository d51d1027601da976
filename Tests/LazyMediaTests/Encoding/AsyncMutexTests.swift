import Support
import Testing

@testable import LazyMedia

@Suite struct AsyncMutexTests {
    @Test func `the lock is granted in the order of joining`() {
        var queue = LockQueue()
        let (a, b, c) = (queue.join(), queue.join(), queue.join())
        #expect(queue.isGranted(a) == true)
        #expect(queue.isGranted(b) == nil && queue.isGranted(c) == nil)
        let second = queue.unlock()
        #expect(second == b)
        #expect(queue.isGranted(a) == false && queue.isGranted(b) == true)
        let rest = [queue.unlock(), queue.unlock()]
        #expect(rest == [c, nil])
        let d = queue.join()
        #expect(queue.isGranted(d) == true)
    }

    @Test func `a cancelled ticket is skipped, and the holder cannot cancel`() {
        var queue = LockQueue()
        let (a, b, c) = (queue.join(), queue.join(), queue.join())
        let cancelled = [queue.cancel(a), queue.cancel(b), queue.cancel(b)]
        #expect(cancelled == [false, true, false])
        #expect(queue.isGranted(b) == false)
        let next = queue.unlock()
        #expect(next == c)
    }

    @Test func `two tasks never hold the lock at once`() async throws {
        let mutex = AsyncMutex()
        let census = Census()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let lock = try await mutex.lock()
                    census.counts.withLock {
                        $0.now += 1
                        $0.most = max($0.most, $0.now)
                        $0.all += 1
                    }
                    await Task.yield()
                    census.counts.withLock { $0.now -= 1 }
                    lock.unlock()
                }
            }
            try await group.waitForAll()
        }
        #expect(census.counts.withLock { $0.most } == 1)
        #expect(census.counts.withLock { $0.all } == 40)
    }

    @Test func `cancelling ends the waiting of that task only`() async throws {
        let mutex = AsyncMutex()
        let first = try await mutex.lock()
        let cancelled = Task { try await mutex.lock().unlock() }
        let waiting = Task { try await mutex.lock().unlock() }
        cancelled.cancel()
        await #expect { try await cancelled.value } throws: {
            ($0 as? MediaError)?.code == .cancelled
        }
        first.unlock()
        first.unlock()
        try await waiting.value
        try await mutex.lock().unlock()
    }

    @Test func `dropping the lock releases it`() async throws {
        let mutex = AsyncMutex()
        _ = try await mutex.lock()
        await #expect(throws: Never.self) { try await mutex.lock().unlock() }
    }

    @Test func `a name identifies one mutex in the process`() {
        #expect(AsyncMutex.shared(named: "a") === AsyncMutex.shared(named: "a"))
        #expect(AsyncMutex.shared(named: "a") !== AsyncMutex.shared(named: "b"))
    }
}

private final class Census: Sendable {
    let counts = Locked((now: 0, most: 0, all: 0))
}
