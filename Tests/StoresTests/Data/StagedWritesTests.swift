import Testing

@testable import LazyBase
@testable import LazyLoading

@Suite struct StagedWritesTests {
    func bytes(_ change: StagedWrites.Change?) -> [UInt8]? {
        switch change {
        case .store(let entry): entry.data.bytesInMemory
        case .remove: []
        case nil: nil
        }
    }

    @Test func `staged changes are visible at once`() {
        var staged = StagedWrites()
        #expect(bytes(staged.change(for: "a")) == nil)
        staged.store(Blob([1]), for: "a")
        #expect(bytes(staged.change(for: "a")) == [1])
        staged.remove("a")
        #expect(bytes(staged.change(for: "a")) == [])
        staged.store(Blob([2]), for: "a")
        staged.store(Blob([3]), for: "b")
        staged.remove("c")
        #expect(Set(staged.drop { $0 != "b" }.keys) == ["a"])
        #expect(bytes(staged.change(for: "a")) == nil)
        #expect(bytes(staged.change(for: "b")) == [3])
        #expect(bytes(staged.change(for: "c")) == nil)
        #expect(staged.byteCount == 1)
    }

    @Test func `staged bytes are counted until they are written`() {
        var staged = StagedWrites()
        staged.store(Blob([1, 2, 3]), for: "a")
        staged.store(Blob([1, 2]), for: "a")
        staged.store(Blob([1]), for: "b")
        #expect(staged.byteCount == 3)
        let batch = staged.batch()
        staged.store(Blob([1, 2, 3, 4]), for: "a")
        staged.didWrite(batch)
        #expect(staged.byteCount == 4)
        #expect(bytes(staged.change(for: "a")) == [1, 2, 3, 4])
        #expect(bytes(staged.change(for: "b")) == nil)
        staged.didWrite(staged.batch())
        #expect(staged.byteCount == 0)
        #expect(staged.isEmpty)
    }

    @Test func `a batch of one key keeps newer changes`() {
        var staged = StagedWrites()
        staged.store(Blob([1]), for: "a")
        staged.store(Blob([2]), for: "b")
        #expect(staged.batch(for: "a").changes.map(\.key) == ["a"])
        #expect(staged.batch(for: "c").isEmpty)
        let batch = staged.batch()
        _ = staged.drop { _ in true }
        staged.store(Blob([3]), for: "b")
        staged.didWrite(batch)
        #expect(!staged.isEmpty)
        staged.didWrite(staged.batch())
        #expect(staged.isEmpty)
        #expect(staged.byteCount == 0)
    }
}
