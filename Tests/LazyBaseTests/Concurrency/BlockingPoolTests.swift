import Glibc
import Support
import Testing

@testable import LazyBase

/// The number of threads of a pool, their end, and what happens without them.
@Suite(.timeLimit(.minutes(1))) struct BlockingPoolTests {
    /// Starts a number of threads and refuses the rest.
    private static func giving(_ count: Int) -> BlockingPool.ThreadMaking {
        let given = Locked(0)
        return { work throws(SystemError) in
            let mayStart = given.withLock { given in
                given += 1
                return given <= count
            }
            guard mayStart else { throw SystemError(code: EAGAIN) }
            try DetachedThread.start(work)
        }
    }

    private static func sum(on pool: BlockingPool, jobs: Int) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<jobs { group.addTask { await pool.run { number } } }
            return await group.reduce(0, +)
        }
    }

    @Test(arguments: [1, 3]) func `a pool has no more threads than its width`(width: Int) async {
        let pool = BlockingPool(width: width)
        #expect(pool.threadCount == 0)
        let most = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { await pool.run { pool.threadCount } } }
            return await group.reduce(0, max)
        }
        #expect((1...width).contains(most))
    }

    @Test func `idle threads end, and the pool with the last one`() async {
        weak var dropped: BlockingPool?
        do {
            let pool = BlockingPool(width: 4, idleTime: .zero, makeThread: Self.giving(.max))
            dropped = pool
            for round in 1...20 { #expect(await Self.sum(on: pool, jobs: round) >= 0) }
            while pool.threadCount > 0 { await Task.yield() }
        }
        while dropped != nil { await Task.yield() }
    }

    @Test(arguments: [0, 1, 2]) func `if threads are refused the others do the work`(
        given: Int
    ) async {
        let pool = BlockingPool(
            width: 8, idleTime: .seconds(60), makeThread: Self.giving(given))
        #expect(await Self.sum(on: pool, jobs: 300) == 44_850)
        // A thread is counted until it is refused.
        while pool.threadCount > given { await Task.yield() }
    }

    @Test func `a pool reports that it has no thread`() throws {
        let none = BlockingPool(width: 2, idleTime: .zero, makeThread: Self.giving(0))
        #expect(throws: SystemError(code: EAGAIN)) { try none.requireThread() }
        #expect(none.threadCount == 0)
        let one = BlockingPool(width: 2, idleTime: .seconds(60), makeThread: Self.giving(1))
        try one.requireThread()
        try one.requireThread()
        #expect(one.threadCount == 1)
    }

    @Test func `a thread that works forever is the only one where others are refused`() async throws
    {
        let pool = BlockingPool(width: 8, idleTime: .seconds(60), makeThread: Self.giving(0))
        let thread = Locked<pthread_t?>(nil)
        let first = Locked<pthread_t?>(nil)
        try DetachedThread.start {
            thread.withLock { $0 = pthread_self() }
            pool.workForever { first.withLock { $0 = pthread_self() } }
        }
        while first.withLock({ $0 == nil }) { await Task.yield() }
        #expect(first.withLock { $0 } == thread.withLock { $0 })
        #expect(pool.threadCount == 1)
        for _ in 0..<100 { #expect(await pool.run { pthread_self() } == thread.withLock { $0 }) }
    }
}
