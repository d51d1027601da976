import Foundation
import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

@Suite struct ManagementTests {
    let scratch = Scratch()
    let clock = ManualClock()

    func store() throws -> DiskStore { try DiskStore(folder: scratch.path, clocks: clock.clocks) }

    @Test func `entries are listed, the last used one first`() throws {
        let store = try store()
        let start = clock.wall
        for (index, key) in ["a", "b", "c"].enumerated() {
            try store.store(Blob(noise(100_000 * index)), metadata: [UInt8(index)], for: key)
            clock.advance(by: .seconds(100))
        }
        _ = try store.entry(for: "a")
        _ = try store.setMetadata([7], for: "b")
        let entries = store.entries()
        #expect(entries.map(\.key) == ["a", "c", "b"])
        #expect(entries.map(\.byteCount) == [0, 200_000, 100_000])
        #expect(entries.map(\.metadata) == [[0], [2], [7]])
        #expect(entries.map { $0.storedAt - start } == [.zero, .seconds(200), .seconds(100)])
        #expect(
            entries.map { $0.lastUsed - start } == [.seconds(300), .seconds(200), .seconds(100)])
    }

    @Test func `statistics count entries and partials`() throws {
        let store = try store()
        #expect(store.statistics() == StoreStatistics())
        try store.store(Blob(noise(1000)), for: "a")
        try store.store(Blob(noise(2000)), for: "b")
        let writer = try store.makeWriter(for: "c", metadata: [])
        try writer.append(noise(70_000))
        writer.suspend()
        let statistics = store.statistics()
        #expect(statistics.count == 2)
        #expect((3000...3300).contains(statistics.byteCount))
        #expect(statistics.allocatedByteCount >= 3000)
        #expect(statistics.partialCount == 1)
        #expect((70_000...70_300).contains(statistics.partialByteCount))
    }

    @Test func `chosen entries are removed`() throws {
        let store = try store()
        for number in 0..<6 { try store.store(Blob([1]), for: "\(number)") }
        let count = try store.remove(matching: { (Int($0.key) ?? 0) % 2 == 0 })
        #expect(count == 3)
        #expect(store.entries().map(\.key).sorted() == ["1", "3", "5"])
    }

    @Test(arguments: [false, true])
    func `verification reads everything`(removes: Bool) throws {
        let store = try store()
        for (key, size) in [("small", 100), ("large", 300_000), ("good", 200_000), ("empty", 0)] {
            try store.store(Blob(noise(size)), for: key)
        }
        #expect(store.verify().damaged == [])
        #expect(store.verify().byteCount == 500_100)
        for key in ["small", "large"] {
            let name = DiskLayout.name(of: key)
            let file = "\(name.prefix(2))/\(name)"
            scratch[file][90] ^= 1
        }
        let report = store.verify(removingDamaged: removes)
        #expect(report.count == 4)
        #expect(report.damaged.count == 2)
        #expect(report.removedCount == (removes ? 2 : 0))
        #expect(store.statistics().count == (removes ? 2 : 4))
        #expect(store.verify(removingDamaged: removes).damaged.count == (removes ? 0 : 2))
    }
}
