import Testing

@testable import LazyLoading

/// The blocks that are fetched for a read.
@Suite struct RangePlanTests {
    private func plan(_ count: Int) -> RangePlan {
        RangePlan(count: count, blockSize: 10, maxAhead: 80)
    }

    /// Bytes read of 1000, known blocks, fetched blocks.
    @Test(
        arguments: [
            (0..<1, [], 0..<1), (0..<10, [], 0..<1), (0..<11, [], 0..<2), (5..<25, [], 0..<3),
            (5..<25, [0], 1..<3), (5..<45, [2], 0..<2), (5..<45, [0, 1, 3], 2..<3),
            (5..<15, [0, 1], nil), (995..<2000, [], 99..<100), (1000..<1010, [], nil),
            (7..<7, [], nil),
        ] as [(Range<Int>, [Int], Range<Int>?)])
    func `the first read fetches its blocks`(
        read: Range<Int>, known: [Int], wanted: Range<Int>?
    ) {
        var plan = plan(1000)
        #expect(plan.fetch(for: read) { known.contains($0) } == wanted)
    }

    @Test func `sequential reads double the fetch up to a maximum`() {
        var plan = plan(10_000)
        var known = 0
        var lengths: [Int] = []
        for _ in 0..<7 {
            let start = known * 10
            let blocks = plan.fetch(for: start..<start + 5) { $0 < known }
            lengths.append(blocks?.count ?? 0)
            known = blocks?.upperBound ?? known
        }
        #expect(lengths == [1, 2, 4, 8, 8, 8, 8])
    }

    @Test func `a seek resets the fetch to one block`() {
        var plan = plan(10_000)
        #expect(plan.fetch(for: 0..<5) { _ in false } == 0..<1)
        #expect(plan.fetch(for: 10..<15) { $0 < 1 } == 1..<3)
        #expect(plan.fetch(for: 5000..<5005) { $0 < 3 } == 500..<501)
        #expect(plan.fetch(for: 5010..<5011) { $0 < 3 || $0 == 500 } == 501..<503)
        #expect(plan.fetch(for: 4000..<4005) { $0 < 3 || $0 == 500 } == 400..<401)
    }

    /// The position, known blocks, blocks prefetched with a window of eight.
    @Test(
        arguments: [
            (0, [], 0..<8), (0, [0, 1], 2..<8), (0, [0, 1, 2, 3, 4], nil), (35, [3, 4], 5..<11),
            (35, [3, 4, 9], 5..<9), (960, [96], 97..<100), (985, [98], 99..<100),
            (999, [99], nil), (1000, [], nil),
        ] as [(Int, [Int], Range<Int>?)])
    func `half a window is prefetched`(
        offset: Int, known: [Int], wanted: Range<Int>?
    ) {
        let plan = RangePlan(count: 1000, blockSize: 10, maxAhead: 80, window: 80)
        #expect(plan.fetchAhead(of: offset) { known.contains($0) } == wanted)
        let other = RangePlan(count: 1000, blockSize: 10, maxAhead: 80)
        #expect(other.fetchAhead(of: offset) { known.contains($0) } == nil)
    }

    @Test func `a read that skips one block is sequential, one that skips two is not`() {
        for (start, length) in [(20, 2), (30, 1)] {
            var plan = plan(10_000)
            #expect(plan.fetch(for: 0..<10) { _ in false } == 0..<1)
            let blocks = plan.fetch(for: start..<start + 10) { _ in false }
            #expect(blocks == start / 10..<start / 10 + length)
        }
    }

    /// The range that is going to be read, the most bytes, known blocks, fetched blocks.
    @Test(
        arguments: [
            (0..<1, 80, [], [0..<1]), (5..<45, 80, [], [0..<5]), (5..<45, 30, [], [0..<3]),
            (5..<45, 80, [0, 2], [1..<2, 3..<5]), (15..<35, 80, [1, 2, 3], []),
            (985..<5000, 80, [], [98..<100]), (1000..<1010, 80, [], []), (7..<7, 80, [], []),
            (0..<100, 9, [], []),
            (
                0..<1000, 1000, Array(stride(from: 1, to: 100, by: 2)),
                (0..<8).map { 2 * $0..<2 * $0 + 1 }
            ),
        ] as [(Range<Int>, Int, [Int], [Range<Int>])])
    func `what is going to be read is fetched in runs`(
        range: Range<Int>, most: Int, known: [Int], wanted: [Range<Int>]
    ) {
        let plan = plan(1000)
        #expect(plan.fetches(of: range, maxBytes: most) { known.contains($0) } == wanted)
    }

    @Test func `a large window is fetched in requests of limited size`() {
        let plan = RangePlan(count: 1 << 30, window: 1 << 22)
        let blocks = plan.fetchAhead(of: 0) { _ in false }
        #expect(blocks == 0..<RangePlan.maxAtOnce / plan.blockSize)
    }

    @Test func `the last block may be shorter`() {
        let plan = plan(25)
        #expect(plan.blockCount == 3)
        #expect(plan.bytes(of: 2) == 20..<25)
    }

    @Test func `the largest size does not trap`() {
        var plan = RangePlan(count: .max)
        let last = plan.blockCount - 1
        #expect(plan.bytes(of: last).upperBound == .max)
        #expect(plan.fetch(for: .max - 5..<Int.max) { _ in false } == last..<last + 1)
        #expect(plan.fetch(for: 0..<Int.max) { _ in false }?.count == 32)
        #expect(plan.fetches(of: 0..<Int.max, maxBytes: 1 << 20) { _ in false } == [0..<32])
        let end = plan.fetches(of: .max - 5..<Int.max, maxBytes: .max) { _ in false }
        #expect(end == [last..<last + 1])
    }
}
