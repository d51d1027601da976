import Testing

@testable import LazyLoading

/// The blocks that leave memory, and their places in a file.
@Suite struct RangeBlocksTests {
    private func blocks(_ numbers: Range<Int>, maxInFile: Int) -> RangeBlocks {
        var blocks = RangeBlocks(maxBytes: 35, maxInFile: maxInFile)
        for number in numbers { blocks.insert(bytes(number), at: number) }
        return blocks
    }

    private func bytes(_ number: Int) -> [UInt8] { .init(repeating: UInt8(number), count: 10) }

    private func copy(_ blocks: inout RangeBlocks, _ block: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 99, count: 10)
        let count = buffer.withUnsafeMutableBytes { blocks.copy(block, from: 0, into: $0) }
        return count.map { Array(buffer.prefix($0)) }
    }

    @Test func `the least recently used blocks are evicted`() {
        var blocks = RangeBlocks(maxBytes: 25)
        for number in 0..<2 { blocks.insert(bytes(number), at: number) }
        var buffer = [UInt8](repeating: 99, count: 4)
        let copied = buffer.withUnsafeMutableBytes { blocks.copy(0, from: 8, into: $0) }
        #expect(copied == 2)
        #expect(buffer == [0, 0, 99, 99])
        blocks.insert(bytes(7), at: 7)
        #expect(blocks.evict().isEmpty)
        #expect(blocks.contains(0) && !blocks.contains(1) && blocks.contains(7))
        #expect(blocks.byteCount == 20)
        blocks.insert([UInt8](repeating: 0, count: 90), at: 8)
        #expect(blocks.evict().isEmpty)
        #expect(blocks.contains(8) && blocks.byteCount == 90)
    }

    @Test func `a block that leaves can be read until it is in the file`() throws {
        var blocks = blocks(0..<5, maxInFile: 1000)
        let leaving = blocks.evict()
        #expect(leaving.map(\.place.block) == [0, 1])
        #expect(leaving.map(\.place.offset) == [0, 10])
        #expect(leaving.map(\.bytes) == [bytes(0), bytes(1)])
        #expect(blocks.byteCount == 30 && blocks.fileCount == 20)
        #expect(copy(&blocks, 1) == bytes(1) && blocks.place(of: 1) == nil)
        blocks.didWrite(leaving, sums: [7, 8])
        #expect(copy(&blocks, 1) == nil && blocks.contains(1))
        #expect(blocks.place(of: 1) == .init(block: 1, offset: 10, count: 10, sum: 8))
        #expect(blocks.evict().isEmpty)
    }

    @Test func `a block that is brought back is not written again`() {
        var blocks = blocks(0..<5, maxInFile: 1000)
        blocks.didWrite(blocks.evict(), sums: [7, 8])
        blocks.insert(bytes(0), at: 0)
        #expect(blocks.evict().map(\.place.block) == [2])
        for number in [3, 4] { #expect(copy(&blocks, number) == bytes(number)) }
        blocks.insert(bytes(5), at: 5)
        #expect(blocks.evict().isEmpty)
        #expect(copy(&blocks, 0) == nil && blocks.place(of: 0)?.sum == 7)
    }

    @Test func `what finds no room in the file is dropped`() {
        var blocks = blocks(0..<9, maxInFile: 25)
        let leaving = blocks.evict()
        #expect(leaving.map(\.place.block) == [0, 1])
        blocks.didWrite(leaving, sums: [7, 8])
        #expect((0..<9).filter(blocks.contains) == [0, 1, 6, 7, 8])
        #expect(blocks.fileCount == 20)
    }

    @Test func `after a failed write no more leave for the file`() {
        var blocks = blocks(0..<6, maxInFile: 1000)
        let leaving = blocks.evict()
        #expect(leaving.count == 3)
        blocks.didWrite(leaving, sums: [7])
        #expect((0..<6).filter(blocks.contains) == [0, 3, 4, 5])
        blocks.insert(bytes(6), at: 6)
        #expect(blocks.evict().isEmpty)
        #expect((0..<7).filter(blocks.contains) == [0, 4, 5, 6])
    }

    @Test func `a block that the file has lost is missing, unless it was written again`() throws {
        var blocks = blocks(0..<5, maxInFile: 1000)
        blocks.didWrite(blocks.evict(), sums: [7, 8])
        let old = try #require(blocks.place(of: 0))
        blocks.forget(old)
        #expect(!blocks.contains(0))
        blocks.insert(bytes(0), at: 0)
        for number in 2..<5 { #expect(copy(&blocks, number) != nil) }
        let leaving = blocks.evict()
        #expect(leaving.map(\.place.offset) == [20])
        blocks.didWrite(leaving, sums: [7])
        blocks.forget(old)
        #expect(blocks.place(of: 0)?.offset == 20)
    }
}
