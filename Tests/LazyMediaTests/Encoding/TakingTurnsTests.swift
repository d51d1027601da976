import Support
import Testing

@testable import LazyMedia

@Suite struct TakingTurnsTests {
    @Test func `turns come in the order of joining`() {
        var queue = TurnQueue()
        let (a, b, c) = (queue.join(), queue.join(), queue.join())
        #expect(queue.answer(a) == true)
        #expect(queue.answer(b) == nil && queue.answer(c) == nil)
        let second = queue.end()
        #expect(second == b)
        #expect(queue.answer(a) == false && queue.answer(b) == true)
        let rest = [queue.end(), queue.end()]
        #expect(rest == [c, nil])
        let d = queue.join()
        #expect(queue.answer(d) == true)
    }

    @Test func `who leaves is passed over, and who has the turn cannot leave`() {
        var queue = TurnQueue()
        let (a, b, c) = (queue.join(), queue.join(), queue.join())
        let left = [queue.leave(a), queue.leave(b), queue.leave(b)]
        #expect(left == [false, true, false])
        #expect(queue.answer(b) == false)
        let next = queue.end()
        #expect(next == c)
    }

    @Test func `never are two at work`() async throws {
        let turns = TakingTurns()
        let census = Census()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let turn = try await turns.wait()
                    census.counts.withLock {
                        $0.now += 1
                        $0.most = max($0.most, $0.now)
                        $0.all += 1
                    }
                    await Task.yield()
                    census.counts.withLock { $0.now -= 1 }
                    turn.end()
                }
            }
            try await group.waitForAll()
        }
        #expect(census.counts.withLock { $0.most } == 1)
        #expect(census.counts.withLock { $0.all } == 40)
    }

    @Test func `cancelling ends the waiting and nobody else's`() async throws {
        let turns = TakingTurns()
        let first = try await turns.wait()
        let cancelled = Task { try await turns.wait().end() }
        let patient = Task { try await turns.wait().end() }
        cancelled.cancel()
        await #expect { try await cancelled.value } throws: {
            ($0 as? MediaError)?.code == .cancelled
        }
        first.end()
        first.end()
        try await patient.value
        try await turns.wait().end()
    }

    @Test func `letting go of a turn ends it`() async throws {
        let turns = TakingTurns()
        _ = try await turns.wait()
        try await turns.wait().end()
    }
}

private final class Census: Sendable {
    let counts = Locked((now: 0, most: 0, all: 0))
}
