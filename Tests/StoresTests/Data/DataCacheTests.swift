import Foundation
import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

@Suite struct DataCacheTests {
    let scratch = Scratch()
    let clock = ManualClock()

    func cache(_ sizeLimit: Int = 150 << 20) throws -> DataCache {
        try DataCache(folder: scratch.path, sizeLimit: sizeLimit, clocks: clock.clocks)
    }

    @Test func `stored bytes are visible at once and on disk a second later`() async throws {
        let cache = try cache()
        cache.storeData(Blob([1, 2, 3]), for: "key")
        #expect(cache["key"]?.bytesInMemory == [1, 2, 3])
        #expect(cache.containsData(for: "key"))
        #expect(cache.totalCount == 0)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        // The task that writes holds the queue until it is done.
        while scratch.entries.isEmpty { await Task.yield() }
        cache.flush()
        #expect(cache.totalCount == 1)
        #expect(try self.cache()["key"]?.bytes() == [1, 2, 3])
    }

    @Test func `flushing waits until bytes are on disk`() throws {
        let cache = try cache()
        cache["a"] = Blob([1])
        cache["b"] = Blob([2])
        cache.flush(for: "a")
        #expect(scratch.entries.count == 1)
        cache.flush()
        #expect(scratch.entries.count == 2)
        cache["a"] = nil
        #expect(cache["a"] == nil)
        #expect(!cache.containsData(for: "a"))
        cache.flush()
        #expect(scratch.entries.count == 1)
        cache.removeAll()
        #expect(cache["b"] == nil)
        cache["c"] = Blob([3])
        cache.flush()
        #expect(try self.cache()["b"]?.bytes() == nil)
        #expect(try self.cache()["c"]?.bytes() == [3])
        #expect(cache.totalCount == 1)
        #expect(cache.totalSize > 0)
        #expect(cache.totalAllocatedSize > 0)
    }

    @Test func `a dropped cache writes staged changes`() throws {
        do { try cache()["key"] = Blob([1]) }
        #expect(try cache()["key"]?.bytes() == [1])
    }

    @Test func `too many staged bytes are written at once`() throws {
        let cache = try cache()
        for number in 0..<5 { cache["\(number)"] = Blob(noise(7 << 20)) }
        #expect(scratch.entries.count == 5)
    }

    @Test func `a full cache is trimmed to 70 % of its limit`() throws {
        let cache = try cache(1_000_000)
        for number in 0..<11 {
            cache["\(number)"] = Blob(noise(95_000))
            cache.flush()
            clock.advance(by: .seconds(1))
        }
        #expect(cache.totalSize <= 700_000)
        #expect(cache.totalCount == 7)
        #expect(cache["10"] != nil)
        #expect(cache["0"] == nil)
    }

    @Test func `an entry that cannot be kept removes the old one`() throws {
        let cache = try cache(100_000)
        cache["key"] = Blob([1])
        cache.flush()
        cache["key"] = Blob(noise(80_000))
        cache.flush()
        #expect(cache["key"] == nil)
    }

    @Test func `bytes of a file are stored like those in memory`() throws {
        let cache = try cache()
        cache["a"] = Blob(noise(300_000))
        cache.flush()
        let blob = try #require(cache["a"])
        #expect(blob.bytesInMemory == nil)
        cache["b"] = blob
        cache["a"] = nil
        cache.flush()
        #expect(try cache["b"]?.bytes() == noise(300_000))
    }

    @Test func `a cache can be used by many threads`() async throws {
        let cache = try cache(2_000_000)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask(executorPreference: BlockingPool.shared) {
                    for round in 0..<60 {
                        let key = "\((worker * 7 + round * 13) % 10)"
                        switch (round + worker) % 5 {
                        case 0: cache.removeData(for: key)
                        case 1: cache.flush(for: key)
                        case 2, 3: cache[key] = Blob(noise(5000, seed: UInt64(key) ?? 0))
                        default: break
                        }
                        if let data = try? cache[key]?.bytes() {
                            #expect(data == noise(5000, seed: UInt64(key) ?? 0))
                        }
                    }
                }
            }
        }
    }
}
