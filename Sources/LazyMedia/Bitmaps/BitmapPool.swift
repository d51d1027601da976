import Glibc

/// Recycles the memory of freed bitmaps.
///
/// Allocating a frame's megabytes costs more than filling them, and a playing sequence needs the same
/// size again and again. Holds at most `byteLimit` bytes of unused memory.
public final class BitmapPool: Sendable {
    private struct Unused: ~Copyable {
        var blocks: [Int: [Block]] = [:]
        var byteCount = 0
    }
    private let unused = Locked(Unused())
    private let byteLimit: Int

    private static let hugePage = 2 << 20
    /// Larger frames are often a few pixels on a canvas that a file merely declares.
    private static let leastMapping = 128 << 20

    /// The pool that bitmaps use when no other is given; keeps up to 32 MB.
    public static let shared = BitmapPool(byteLimit: 32 << 20)

    /// Makes a pool that keeps at most this many bytes of unused memory.
    public init(byteLimit: Int) { self.byteLimit = byteLimit }

    deinit {
        unused.withLock { unused in
            for blocks in unused.blocks.values { for block in blocks { block.free() } }
        }
    }

    func storage(
        byteCount: Int, deferred: DeferredPixels? = nil
    ) throws(MediaError) -> BitmapStorage {
        // A canvas keeps its memory, so only pictures are made in lent memory.
        let block: Block
        if let room = LentMemory.room(byteCount: byteCount) {
            block = Block(
                memory: room.start, byteCount: byteCount, isMapped: false, lender: room.lender)
        } else {
            block = try self.block(byteCount: byteCount)
        }
        return BitmapStorage(block, deferred: deferred) { self.recycle(block) }
    }

    func block(byteCount: Int) throws(MediaError) -> Block {
        if let block = takeUnused(byteCount) { return block }
        if byteCount > max(byteLimit, Self.leastMapping) { return try mapped(byteCount) }
        let isLarge = byteCount >= Self.hugePage * 2
        let alignment = isLarge ? Self.hugePage : 64
        let capacity = (byteCount + 64 + alignment - 1) & ~(alignment - 1)
        guard let memory = aligned_alloc(alignment, capacity) else {
            throw MediaError(.environment, "There is no memory for a frame of \(byteCount) bytes.")
        }
        // A page fault for 4 KB costs as much as filling them: use larger pages.
        if isLarge { madvise(memory, byteCount, MADV_HUGEPAGE) }
        return Block(memory: memory, byteCount: byteCount, isMapped: false)
    }

    /// Maps zeroed pages, which take no memory before they are written.
    private func mapped(_ byteCount: Int) throws(MediaError) -> Block {
        let memory = mmap(
            nil, byteCount + 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else {
            throw MediaError(.environment, "There is no memory for a frame of \(byteCount) bytes.")
        }
        return Block(memory: memory, byteCount: byteCount, isMapped: true)
    }

    func recycle(_ block: Block) {
        if let lender = block.lender { return lender.takeBack(block.memory) }
        let isKept = unused.withLock { unused in
            guard unused.byteCount + block.byteCount <= byteLimit else { return false }
            unused.byteCount += block.byteCount
            unused.blocks[block.byteCount, default: []].append(block)
            return true
        }
        if !isKept { block.free() }
    }

    private func takeUnused(_ byteCount: Int) -> Block? {
        unused.withLock { unused in
            guard let block = unused.blocks[byteCount]?.popLast() else { return nil }
            unused.byteCount -= byteCount
            return block
        }
    }
}

// Unchecked: a block has one holder at a time: the pool, one storage or one canvas.
struct Block: @unchecked Sendable {
    let memory: UnsafeMutableRawPointer
    let byteCount: Int
    /// Whether it was mapped, and is unmapped when it is freed.
    let isMapped: Bool
    /// Whose memory it is, if not the pool's.
    var lender: LentMemory? = nil

    func free() {
        if let lender { return lender.takeBack(memory) }
        if isMapped { munmap(memory, byteCount + 64) } else { Glibc.free(memory) }
    }
}
