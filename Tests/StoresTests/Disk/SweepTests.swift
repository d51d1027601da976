import Foundation
import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

@Suite struct SweepTests {
    let scratch = Scratch()
    let clock = ManualClock()

    func store(_ limits: StoreLimits = .init()) throws -> DiskStore {
        try DiskStore(folder: scratch.path, limits: limits, clocks: clock.clocks)
    }

    struct Case: CustomTestStringConvertible {
        var name: String
        var plan: SweepPlan
        /// Name, size and time of each file.
        var items: [(String, Int, Int64)]
        var victims: [String]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "nothing there", plan: .init(limit: 0, target: 0), items: [], victims: []),
        Case(
            name: "within the limit", plan: .init(limit: 30, target: 0),
            items: [("a", 10, 1), ("b", 20, 2)], victims: []),
        Case(
            name: "over it, the longest unused goes", plan: .init(limit: 29, target: 20),
            items: [("b", 10, 2), ("a", 10, 1), ("c", 10, 3)], victims: ["a"]),
        Case(
            name: "down to the target", plan: .init(limit: 29, target: 19),
            items: [("b", 10, 2), ("a", 10, 1), ("c", 10, 3)], victims: ["a", "b"]),
        Case(
            name: "what is too old goes all the same",
            plan: .init(limit: 100, target: 70, oldest: WallTime(seconds: 3)),
            items: [("b", 10, 2), ("a", 10, 1), ("c", 10, 3)], victims: ["a", "b"]),
        Case(
            name: "everything", plan: .init(limit: 0, target: 0),
            items: [("b", 10, 2), ("a", 0, 1), ("c", 10, 3)], victims: ["a", "b", "c"]),
    ])
    func `a plan names the victims`(_ example: Case) {
        let items = example.items.map {
            SweepPlan.Item(name: $0.0, size: $0.1, lastUsed: WallTime(seconds: $0.2))
        }
        #expect(example.plan.victims(items).map(\.name) == example.victims)
    }

    @Test func `a full store trims itself and keeps used entries`() throws {
        let store = try store(StoreLimits(byteCount: 1_000_000))
        for number in 0..<9 {
            try store.store(Blob(noise(100_000)), for: "\(number)")
            clock.advance(by: .seconds(100))
        }
        #expect(try store.entry(for: "0") != nil)
        clock.advance(by: .seconds(100))
        try store.store(Blob(noise(100_000)), for: "9")
        let left = (0..<10).filter { store.contains("\($0)") }
        #expect(left == [0, 5, 6, 7, 8, 9])
        #expect(StoreState.read(in: store.root).byteCount == store.statistics().byteCount)
    }

    @Test func `checking for an entry does not mark it as used`() throws {
        let store = try store()
        try store.store(Blob([1]), for: "a")
        clock.advance(by: .seconds(100))
        try store.store(Blob([1]), for: "b")
        clock.advance(by: .seconds(100))
        #expect(store.contains("a"))
        #expect(store.statistics().count == 2)
        store.prune(unusedFor: .seconds(150))
        #expect(!store.contains("a"))
        #expect(store.contains("b"))
    }

    @Test func `use does not change the age of an entry`() throws {
        let store = try store(StoreLimits(entryAge: .seconds(100)))
        try store.store(Blob([1]), for: "a")
        clock.advance(by: .seconds(61))
        try store.store(Blob([2]), for: "b")
        #expect(try store.entry(for: "a") != nil)
        clock.advance(by: .seconds(39))
        #expect(store.contains("a"))
        clock.advance(by: .milliseconds(1))
        #expect(!store.contains("a"))
        #expect(try store.entry(for: "a") == nil)
        #expect(try store.setMetadata([1], for: "a") == false)
        #expect(store.contains("b"))
        #expect(store.statistics().count == 1)
        clock.advance(by: .seconds(61))
        store.sweep()
        #expect(store.statistics().count == 0)
    }

    @Test func `pruning by age equals the age limit`() throws {
        let store = try store()
        for number in 0..<4 {
            try store.store(Blob([1]), for: "\(number)")
            clock.advance(by: .seconds(100))
        }
        _ = try store.entry(for: "0")
        store.prune(olderThan: .seconds(250))
        #expect((0..<4).filter { store.contains("\($0)") } == [2, 3])
        let strict = try self.store(StoreLimits(entryAge: .seconds(150)))
        #expect((0..<4).filter { strict.contains("\($0)") } == [3])
    }

    @Test func `a data cache has an optional age limit`() throws {
        let cache = try DataCache(
            folder: scratch.path, ageLimit: .seconds(60), clocks: clock.clocks)
        cache["a"] = Blob([1])
        cache.flush()
        clock.advance(by: .seconds(59))
        #expect(cache.containsData(for: "a"))
        clock.advance(by: .seconds(2))
        let lasting = try DataCache(folder: scratch.path, clocks: clock.clocks)
        #expect(lasting.containsData(for: "a"))
        #expect(!cache.containsData(for: "a"))
        #expect(cache["a"] == nil)
        #expect(lasting.ageLimit == nil)
    }

    @Test func `several stores of one folder count together`() throws {
        let stores = try (0..<3).map { _ in try store(StoreLimits(byteCount: 1_000_000)) }
        for number in 0..<30 {
            try stores[number % 3].store(Blob(noise(90_000)), for: "\(number)")
            clock.advance(by: .seconds(1))
            #expect(stores[0].statistics().byteCount <= 1_100_000)
        }
        let statistics = stores[0].statistics()
        #expect(StoreState.read(in: stores[1].root).byteCount == statistics.byteCount)
        for store in stores { #expect(store.contains("29")) }
        try stores[0].store(Blob([1]), for: "29")
        #expect(try stores[1].entry(for: "29")?.body.bytes() == [1])
        #expect(StoreState.read(in: stores[1].root).byteCount < statistics.byteCount)
    }

    @Test func `a sweep runs at least every half hour and counts again`() throws {
        let store = try store()
        try store.store(Blob(noise(1000)), for: "a")
        try FileManager.default.removeItem(atPath: scratch.path + "/" + scratch.entries[0])
        clock.advance(by: .seconds(1799))
        try store.store(Blob(noise(1000)), for: "b")
        #expect(StoreState.read(in: store.root).byteCount > 2000)
        clock.advance(by: .seconds(2))
        try store.store(Blob(noise(1000)), for: "c")
        #expect(StoreState.read(in: store.root).byteCount == store.statistics().byteCount)
    }

    @Test func `a sweep removes files of dead writers and replaced entries`() throws {
        let store = try store()
        try store.store(Blob([1]), metadata: [1], for: "key")
        _ = try store.setMetadata([2], for: "key")
        let name = DiskLayout.name(of: "key")
        let orphan = "\(name.prefix(2))/\(name).0123456789abcdef"
        scratch[orphan] = [1, 2, 3]
        scratch["partial/\(name).0123456789abcdef.tmp"] = [1]
        let writers = try (0..<2).map { _ in try store.makeWriter(for: "key", metadata: []) }
        scratch["\(name.prefix(2))/README"] = [1]
        clock.advance(by: .seconds(3600))
        let ahead = Clocks(
            wall: { WallTime.now + .seconds(3600) }, steady: SystemSteadyClock())
        try DiskStore(folder: scratch.path, clocks: ahead).sweep()
        #expect(!scratch.files.contains(orphan))
        #expect(scratch.partials.count == 2)
        #expect(scratch.files.contains("\(name.prefix(2))/README"))
        for writer in writers { try writer.commit() }
        #expect(try store.entry(for: "key") != nil)
    }

    @Test func `a store can be pruned to a size`() throws {
        let store = try store()
        for number in 0..<5 {
            try store.store(Blob(noise(1000)), for: "\(number)")
            clock.advance(by: .seconds(100))
        }
        store.prune(toBytes: 2500)
        #expect((0..<5).filter { store.contains("\($0)") } == [3, 4])
        store.prune(toBytes: 0)
        #expect(store.statistics().count == 0)
    }
}
