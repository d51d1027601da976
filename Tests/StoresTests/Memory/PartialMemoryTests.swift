import Glibc
import Testing

@testable import LazyBase
@testable import LazyLoading

/// Partial downloads in memory.
@Suite struct PartialMemoryTests {
    func suspend(_ memory: PartialMemory, _ key: String, _ bytes: [UInt8]) throws {
        let writer = memory.makeWriter(for: key, metadata: [1])
        try writer.append(bytes)
        writer.suspend()
    }

    @Test func `an interrupted load is continued`() throws {
        let memory = PartialMemory()
        try suspend(memory, "a", [1, 2, 3])
        let writer = try #require(memory.suspendedWriter(for: "a"))
        #expect(memory.suspendedWriter(for: "a") == nil)
        #expect(writer.metadata == [1])
        try writer.append([4, 5])
        #expect(try writer.written.bytes() == [1, 2, 3, 4, 5])
        #expect(try writer.written.bytes(at: 2, count: 2) == [3, 4])
        writer.suspend()
        #expect(try memory.suspendedWriter(for: "a")?.written.bytes() == [1, 2, 3, 4, 5])
    }

    @Test func `complete and dropped bodies are not kept`() throws {
        let memory = PartialMemory()
        let writer = memory.makeWriter(for: "a", metadata: [])
        try writer.append([1])
        try writer.commit()
        #expect(memory.entry(for: "a") == nil)
        try memory.makeWriter(for: "b", metadata: []).append([1])
        #expect(memory.byteCount == 0 && memory.count == 0)
    }

    @Test func `the least recently used is removed first`() throws {
        let memory = PartialMemory(byteLimit: 100, countLimit: 3)
        for key in ["a", "b", "c"] { try suspend(memory, key, Array(repeating: 0, count: 30)) }
        memory.suspendedWriter(for: "a")?.suspend()
        try suspend(memory, "d", Array(repeating: 0, count: 30))
        #expect(memory.suspendedWriter(for: "b") == nil)
        #expect(memory.count == 3 && memory.byteCount == 90)
        try memory.remove("c")
        #expect(memory.byteCount == 60)
        try memory.removeAll()
        #expect(memory.byteCount == 0)
    }

    @Test func `current loads share the limit`() throws {
        let memory = PartialMemory(byteLimit: 100, countLimit: 3)
        let first = memory.makeWriter(for: "a", metadata: [])
        let second = memory.makeWriter(for: "b", metadata: [])
        try first.append(Array(repeating: 0, count: 60))
        #expect(throws: SystemError(code: ENOSPC)) {
            try second.append(Array(repeating: 0, count: 60))
        }
        first.discard()
        try second.append(Array(repeating: 0, count: 60))
        #expect(memory.byteCount == 60)
    }
}
