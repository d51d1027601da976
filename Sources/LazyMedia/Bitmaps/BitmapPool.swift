import Glibc
internal import LazyBytes

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
        if deferred == nil { block.populate() }
        return BitmapStorage(block, deferred: deferred) { self.recycle(block) }
    }

    /// Returns memory whose content is undefined, and which is populated before it is written.
    func block(byteCount: Int) throws(MediaError) -> Block {
        if let block = takeUnused(byteCount) { return block }
        if byteCount > max(byteLimit, Self.leastMapping) { return try mapped(byteCount) }
        // A page fault for 4 KB costs as much as filling them: use larger pages.
        let hugeBytes = byteCount >= Self.hugePage * 2 ? byteCount.rounded(to: Self.hugePage) : 0
        let alignment = hugeBytes > 0 ? Self.hugePage : 64
        let capacity = (byteCount + 64 + alignment - 1) & ~(alignment - 1)
        guard let memory = aligned_alloc(alignment, capacity) else {
            throw MediaError(.environment, "There is no memory for a frame of \(byteCount) bytes.")
        }
        if hugeBytes > 0 { madvise(memory, hugeBytes, MADV_HUGEPAGE) }
        return Block(
            memory: memory, byteCount: byteCount, isMapped: false, hugeBytes: hugeBytes,
            isFresh: true)
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
            var kept = block
            kept.isFresh = false
            unused.blocks[block.byteCount, default: []].append(kept)
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
    /// How much of its beginning has huge pages, if the system has any.
    var hugeBytes = 0
    /// Whether it comes from `malloc` and was not used before.
    var isFresh = false
    /// Whose memory it is, if not the pool's.
    var lender: LentMemory? = nil

    /// Makes the small pages of fresh memory that is about to be written.
    func populate() {
        guard isFresh, byteCount >= FreshMemory.leastAllocation else { return }
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
        FreshMemory.populate(.init(rebasing: bytes.dropFirst(hugeBytes)))
    }

    func free() {
        if let lender { return lender.takeBack(memory) }
        if isMapped { munmap(memory, byteCount + 64) } else { Glibc.free(memory) }
    }
}

extension Int {
    /// The nearest multiple of a power of two.
    fileprivate func rounded(to unit: Int) -> Int { (self + unit / 2) & ~(unit - 1) }
}
