import Glibc
import Support
import Testing

@testable import LazyMedia

@Suite struct BlockTests {
    private static let sizes = [
        1, 1_228_800, 4_194_303, 4_194_304, 5_300_000, 12_000_000, (128 << 20) + 1,
    ]

    @Test(arguments: sizes)
    func `large blocks are mapped, and all can be written to their end`(size: Int) throws {
        let block = try #require(Block(byteCount: size))
        defer { block.free() }
        block.populate()
        let isMapped = size >= 4 << 20
        #expect(block.isZeroed == isMapped)
        let bytes = UnsafeMutableRawBufferPointer(start: block.memory, count: size + 64)
        let pages = stride(from: 0, to: bytes.count, by: 4096)
        if isMapped { #expect(pages.allSatisfy { bytes[$0] == 0 }) }
        memset(block.memory, 1, bytes.count)
        #expect(UInt(bitPattern: block.memory) % (isMapped ? 2 << 20 : 64) == 0)
    }

    @Test(arguments: sizes.filter { $0 >= 4 << 20 })
    func `a mapped block is unmapped when it is freed`(size: Int) throws {
        // Another thread may map the same place at once, but not each time.
        var isGone = false
        for _ in 0..<1000 where !isGone {
            let block = try #require(Block(byteCount: size))
            let start = UInt(bitPattern: block.memory)
            block.free()
            let page = UnsafeMutableRawPointer(bitPattern: start & ~4095)
            isGone = msync(page, 4096, MS_ASYNC) != 0 && errno == ENOMEM
        }
        #expect(isGone)
    }

    @Test func `used blocks are not fresh, and unused ones are freed on demand`() throws {
        let size = PixelSize(width: 2000, height: 1500)
        let pool = BitmapPool(byteLimit: size.rgbaByteCount)
        func isFresh() throws -> Bool {
            try CanvasMemory(size: size, pool: pool).beganCleared
        }
        #expect(try isFresh())
        #expect(try !isFresh())
        pool.removeUnused()
        #expect(try isFresh())
    }
}
