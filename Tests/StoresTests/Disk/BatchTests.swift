import Foundation
import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

/// Entries that are stored in batches.
@Suite struct BatchTests {
    let scratch = Scratch()
    let clock = ManualClock()

    private func store(_ limits: StoreLimits = .init()) throws -> DiskStore {
        try DiskStore(folder: scratch.path, limits: limits, clocks: clock.clocks)
    }

    private func entries(_ count: Int) -> [(key: String, entry: CachedData)] {
        (0..<count).map { number in
            let body = Blob(noise(100 + number, seed: UInt64(number)))
            return ("\(number)", CachedData(data: body, metadata: [UInt8(number)]))
        }
    }

    @Test(arguments: DiskStoreTests.sizes)
    func `a batch writes what a writer writes`(size: Int) throws {
        let store = try store()
        let entry = CachedData(data: Blob(noise(size)), metadata: [1, 2, 3])
        #expect(store.store([("a", entry)]) == [])
        try store.store(entry.data, metadata: entry.metadata, for: "b")
        for key in ["a", "b"] {
            let found = try #require(try store.entry(for: key))
            #expect(try found.body.bytes() == noise(size))
            #expect(found.metadata == [1, 2, 3])
            #expect(found.storedAt == clock.wall)
        }
        #expect(Set(scratch.entries.map { scratch[$0].count }).count == 1)
        #expect(store.verify().damaged == [])
        #expect(scratch.partials == [])
    }

    @Test(arguments: [1, 32, 33, 100])
    func `entries of a batch are counted, also where they replace others`(count: Int) throws {
        let store = try store()
        for _ in 0..<2 {
            #expect(store.store(entries(count)) == [])
            let statistics = store.statistics()
            #expect(statistics.count == count)
            #expect(StoreState.read(in: store.root).byteCount == statistics.byteCount)
        }
        for (key, entry) in entries(count) {
            let found = try #require(try self.store().entry(for: key))
            #expect(found.body.bytesInMemory == entry.data.bytesInMemory)
            #expect(found.metadata == entry.metadata)
        }
        #expect(scratch.partials == [])
    }

    @Test func `an entry that cannot be stored does not prevent others`() throws {
        let store = try store(StoreLimits(entryBytes: 150))
        // A file where the folder of a shard is to be.
        let shard = DiskLayout.shard(DiskLayout.name(of: "7"))
        scratch[shard] = [1]
        let lost = entries(60).map(\.key).filter { key in
            DiskLayout.shard(DiskLayout.name(of: key)) == shard || Int(key).map { $0 > 50 } ?? true
        }
        #expect(lost.count >= 10)
        #expect(Set(store.store(entries(60))) == Set(lost))
        #expect(store.statistics().count == 60 - lost.count)
        #expect(StoreState.read(in: store.root).byteCount == store.statistics().byteCount)
        #expect(scratch.partials == [])
    }

    @Test func `a removed folder is created again`() throws {
        let store = try store()
        #expect(store.store(entries(40)) == [])
        try FileManager.default.removeItem(atPath: scratch.path)
        #expect(store.store(entries(40)) == [])
        #expect(store.statistics().count == 40)
    }

    @Test func `a batch replaces metadata that was replaced`() throws {
        let store = try store()
        #expect(store.store(entries(3)) == [])
        #expect(try store.setMetadata([9], for: "1"))
        #expect(store.store(entries(3)) == [])
        #expect(try store.entry(for: "1")?.metadata == [1])
        #expect(scratch.files.count == 3 + 3)
    }

    @Test func `a batch makes room for itself`() throws {
        // Entries of the instant in which a sweep begins are not told apart.
        let clocks = Clocks(
            wall: {
                clock.advance(by: .milliseconds(1))
                return clock.wall
            }, steady: clock)
        let store = try DiskStore(
            folder: scratch.path, limits: StoreLimits(byteCount: 100_000), clocks: clocks)
        for _ in 0..<2 {
            let large = (0..<50).map { number in
                (key: "\(number)", entry: CachedData(data: Blob(noise(9000))))
            }
            #expect(store.store(large) == [])
            #expect(store.statistics().byteCount <= 100_000)
        }
    }
}
