import Glibc
import Support
import Testing

@testable import LazyBytes

@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: !Sanitizer.isLinked, "sanitizers keep freed memory"))
struct FreedMemoryTests {
    private static let blockBytes = 64 << 10
    private static let blockCount = 256

    @Test func `freed memory between what is in use is given back`() async throws {
        var blocks: [UnsafeRawBufferPointer] = []
        for _ in 0..<Self.blockCount {
            let block = try #require(malloc(Self.blockBytes))
            memset(block, 1, Self.blockBytes)
            blocks.append(UnsafeRawBufferPointer(start: block, count: Self.blockBytes))
        }
        // Without it, the end of the heap could be free.
        let last = try #require(malloc(Self.blockBytes))
        defer { free(last) }
        for block in blocks { free(UnsafeMutableRawPointer(mutating: block.baseAddress)) }
        // Others may have made some of it theirs.
        while ResidentPages.byteCount(within: blocks) > Self.blockBytes * Self.blockCount / 4 {
            FreedMemory.giveBack(after: 16 << 20)
            await Task.yield()
        }
    }
}
