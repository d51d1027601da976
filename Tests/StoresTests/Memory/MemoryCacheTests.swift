import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

@Suite struct MemoryCacheTests {
    typealias Cache = MemoryCache<Int, String>
    let clock = ManualClock()

    func cache(_ limits: Cache.Limits) -> Cache { Cache(limits: limits, clock: clock) }

    func keys(_ cache: Cache) -> [Int] { (0..<1000).filter { cache.value(for: $0) != nil } }

    @Test func `a stored value is found`() {
        let cache = cache(.init())
        for key in 0..<1000 { cache.set("\(key)", for: key, cost: 2) }
        #expect((0..<1000).allSatisfy { cache.value(for: $0) == "\($0)" })
        #expect(cache.value(for: 1000) == nil)
        #expect(cache.totalCost == 2000)
        #expect(cache.totalCount == 1000)
        cache.set("new", for: 7, cost: 5)
        #expect(cache.value(for: 7) == "new")
        #expect(cache.totalCost == 2003)
        for key in 0..<500 { cache.remove(key) }
        cache.remove(1000)
        #expect(cache.totalCount == 500)
        #expect(cache.totalCost == 1000)
        #expect(keys(cache) == Array(500..<1000))
        cache.removeAll()
        #expect(cache.totalCount == 0)
        #expect(cache.totalCost == 0)
        #expect(keys(cache) == [])
    }

    @Test(arguments: [
        (Cache.Limits(count: 3), [2, 3, 4]),
        (Cache.Limits(count: 0), []),
        (Cache.Limits(cost: 20, entryShare: 1), [3, 4]),
        (Cache.Limits(cost: 29, entryShare: 1), [3, 4]),
        (Cache.Limits(cost: 30, count: 2, entryShare: 1), [3, 4]),
        (Cache.Limits(cost: 99), []),
        (Cache.Limits(cost: 100), [0, 1, 2, 3, 4]),
    ])
    func `the first stored goes first`(limits: Cache.Limits, left: [Int]) {
        let cache = cache(limits)
        for key in 0..<5 { cache.set("", for: key, cost: 10) }
        #expect(keys(cache) == left)
        #expect(cache.totalCount == left.count)
        #expect(cache.totalCost == left.count * 10)
    }

    @Test func `a used value gets a second chance`() {
        let cache = cache(.init(count: 3))
        for key in 0..<3 { cache.set("", for: key, cost: 1) }
        _ = cache.value(for: 0)
        cache.set("", for: 3, cost: 1)
        #expect(cache.totalCount == 3)
        cache.set("", for: 4, cost: 1)
        #expect(keys(cache) == [0, 3, 4])
    }

    @Test func `if all were used, the oldest one is evicted`() {
        let cache = cache(.init(count: 3))
        for key in 0..<3 { cache.set("", for: key, cost: 1) }
        for key in [2, 0, 1] { _ = cache.value(for: key) }
        cache.set("", for: 3, cost: 1)
        #expect(keys(cache) == [1, 2, 3])
    }

    @Test func `an oversized value is not kept, nor the one it replaces`() {
        let cache = cache(.init(cost: 100))
        cache.set("small", for: 1, cost: 10)
        cache.set("large", for: 1, cost: 11)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.totalCost == 0)
    }

    @Test func `an expired value is removed on access`() {
        let cache = cache(.init(timeToLive: .seconds(10)))
        cache.set("a", for: 1, cost: 1)
        cache.set("b", for: 2, cost: 1, timeToLive: .seconds(20))
        clock.advance(by: .seconds(9))
        #expect(cache.value(for: 1) == "a")
        clock.advance(by: .seconds(1))
        #expect(cache.totalCount == 2)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.totalCount == 1)
        #expect(cache.totalCost == 1)
        #expect(cache.value(for: 2) == "b")
    }

    @Test func `limits can be changed and values trimmed`() {
        let cache = cache(.init())
        for key in 0..<10 { cache.set("", for: key, cost: 10) }
        cache.trim(toCost: 75)
        #expect(keys(cache) == Array(3..<10))
        cache.trim(toCount: 5)
        #expect(cache.totalCount == 5)
        cache.limits.count = 3
        #expect(cache.totalCount == 3)
        cache.limits.cost = 15
        #expect(cache.totalCount == 1)
        cache.trim(toCost: 0)
        #expect(cache.totalCount == 0)
    }

    @Test func `colliding hashes are distinguished`() {
        struct Key: Hashable, Sendable {
            let number: Int
            func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
        }
        let cache = MemoryCache<Key, Int>(limits: .init(count: 50))
        var order = SplitMix(1)
        var model: [Int] = []
        for step in 0..<3000 {
            let number = Int(order.next() % 100)
            if step % 3 == 0 {
                cache.remove(Key(number: number))
                model.removeAll { $0 == number }
            } else {
                cache.set(number, for: Key(number: number), cost: 1)
                model.removeAll { $0 == number }
                model.append(number)
                if model.count > 50 { model.removeFirst() }
            }
            #expect(cache.totalCount == model.count)
        }
        for number in 0..<100 {
            let expected = model.contains(number) ? number : nil
            #expect(cache.value(for: Key(number: number)) == expected)
        }
    }

    @Test func `evicted values are released`() {
        final class Value: Sendable {}
        let cache = MemoryCache<Int, Value>(limits: .init(count: 1))
        weak var first: Value?
        do {
            let value = Value()
            first = value
            cache.set(value, for: 1, cost: 1)
        }
        #expect(first != nil)
        cache.set(Value(), for: 2, cost: 1)
        #expect(first == nil)
    }

    @Test func `concurrent use keeps the counts right`() async {
        let cache = Cache(limits: .init(cost: 500, entryShare: 1))
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var order = SplitMix(UInt64(worker))
                    for _ in 0..<5000 {
                        let key = Int(order.next() % 300)
                        switch order.next() % 4 {
                        case 0: cache.set("\(key)", for: key, cost: Int(order.next() % 20))
                        case 1: cache.remove(key)
                        default:
                            if let value = cache.value(for: key) { #expect(value == "\(key)") }
                        }
                    }
                }
            }
        }
        #expect(cache.totalCost <= 500)
        #expect(cache.totalCount == keys(cache).count)
        cache.removeAll()
        #expect(cache.totalCost == 0)
        #expect(cache.totalCount == 0)
    }
}
