import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

/// Removal of entries by key, by group and by choice.
@Suite struct EntryRemovalTests {
    let scratch = Scratch()

    private func store() throws -> DiskStore { try DiskStore(folder: scratch.path) }

    private func fill(_ store: DiskStore) throws {
        for key in ["a", "a\nx", "a\ny\nz", "ab", "b", "b\nx"] {
            try store.store(Blob([1, 2]), metadata: Array(key.utf8), for: key)
        }
        for key in ["a", "a\nx", "c"] {
            let writer = try store.makeWriter(for: key, metadata: Array(key.utf8))
            try writer.append([1, 2, 3])
            writer.suspend()
        }
    }

    private static let keys = ["a", "a\nx", "a\ny\nz", "ab", "b", "b\nx"]

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let choice: @Sendable () -> EntryChoice
        let kinds: EntryKinds
        let left: [String]
        let suspended: Int
    }

    @Test(arguments: [
        Case(
            testDescription: "a key", choice: { .key("a") }, kinds: .all,
            left: ["a\nx", "a\ny\nz", "ab", "b", "b\nx"], suspended: 2),
        Case(
            testDescription: "a variant", choice: { .key("a\nx") }, kinds: .whole,
            left: ["a", "a\ny\nz", "ab", "b", "b\nx"], suspended: 3),
        Case(
            testDescription: "a group", choice: { .variants(of: "a") }, kinds: .all,
            left: ["ab", "b", "b\nx"], suspended: 1),
        Case(
            testDescription: "what is suspended of a group", choice: { .variants(of: "a") },
            kinds: .suspended, left: keys, suspended: 1),
        Case(
            testDescription: "by metadata",
            choice: { .matching { key, metadata in metadata.first == 98 && key.hasPrefix("b") } },
            kinds: .all, left: ["a", "a\nx", "a\ny\nz", "ab"], suspended: 3),
        Case(
            testDescription: "suspended ones by metadata",
            choice: { .matching { _, metadata in metadata == [99] } }, kinds: .all, left: keys,
            suspended: 2),
        Case(testDescription: "all", choice: { .all }, kinds: .all, left: [], suspended: 0),
    ])
    func `a removal takes what is meant, and counts it`(_ example: Case) throws {
        let first = try store()
        try fill(first)
        let bytes = first.statistics()
        // Another process finds the same.
        let store = try store()
        let removed = try store.remove(example.choice(), kinds: example.kinds)
        #expect(Self.keys.filter { store.contains($0) } == example.left)
        let statistics = store.statistics()
        #expect(statistics.count == example.left.count)
        #expect(statistics.partialCount == example.suspended)
        #expect(removed.count == Self.keys.count - example.left.count)
        #expect(removed.suspendedCount == 3 - example.suspended)
        let gone =
            bytes.byteCount + bytes.partialByteCount - statistics.byteCount
            - statistics.partialByteCount
        #expect(removed.byteCount == gone)
        #expect(store.verify().damaged.isEmpty)
        #expect(try store.remove(example.choice(), kinds: example.kinds).isEmpty)
    }

    @Test func `a body that is being written is kept`() throws {
        let store = try store()
        let writer = try store.makeWriter(for: "a", metadata: [])
        try writer.append([1])
        #expect(try store.remove(.variants(of: "a")).isEmpty)
        try writer.commit()
        #expect(store.contains("a"))
    }

    @Test func `a data cache removes and counts staged changes`() throws {
        let clock = ManualClock()
        let cache = try DataCache(folder: scratch.path, clocks: clock.clocks)
        cache.storeData(Blob([1]), metadata: [7], for: "a")
        cache["a\nx"] = Blob([1, 2])
        cache.flush()
        cache["a"] = Blob([1, 2, 3])
        cache["a\ny"] = Blob([1, 2, 3])
        cache["b"] = Blob([4])
        #expect(cache.removeVariants(of: "a").count == 3)
        #expect(cache["a"] == nil && cache["a\nx"] == nil && cache["a\ny"] == nil)
        #expect(cache["b"]?.bytesInMemory == [4])
        cache.storeData(Blob([1]), metadata: [7], for: "a")
        for _ in 0..<2 {
            #expect(cache.cachedEntry(for: "a")?.metadata == [7])
            cache.flush()
        }
        #expect(cache.removeAll().count == 2)
        cache.flush()
        #expect(cache.totalCount == 0)
    }
}
