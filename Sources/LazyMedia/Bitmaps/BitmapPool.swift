internal import LazyBase

/// Recycles the memory of freed bitmaps.
///
/// Allocating a frame's megabytes costs more than filling them, and a playing sequence needs the same
/// size again and again. Holds at most `byteLimit` bytes of unused memory: where that is full of other sizes, those are freed, which
/// nobody has asked for since. Small bitmaps are left to the C library, which recycles what is as small: there are many sizes of them.
public final class BitmapPool: Sendable {
    private struct Unused: ~Copyable {
        var blocks: [Int: [Block]] = [:]
        var byteCount = 0
    }
    private let unused = Locked(Unused())
    private let byteLimit: Int

    /// The pool that bitmaps use when no other is given; keeps up to 32 MB.
    public static let shared = BitmapPool(byteLimit: 32 << 20)

    /// Makes a pool that keeps at most this many bytes of unused memory.
    public init(byteLimit: Int) { self.byteLimit = byteLimit }

    deinit { removeUnused() }

    func storage(
        byteCount: Int, deferred: DeferredPixels? = nil
    ) throws(MediaError) -> BitmapStorage {
        // A canvas keeps its memory, so only pictures are made in lent memory.
        let block: Block
        if let room = LentMemory.room(byteCount: byteCount) {
            block = Block(room.start, byteCount: byteCount, lender: room.lender)
        } else {
            block = try self.block(byteCount: byteCount)
        }
        if deferred == nil { block.populate() }
        return BitmapStorage(block, deferred: deferred) { self.recycle(block) }
    }

    /// Returns memory whose content is undefined, and which is populated before it is written.
    func block(byteCount: Int) throws(MediaError) -> Block {
        if let block = takeUnused(byteCount) { return block }
        guard let block = Block(byteCount: byteCount) else {
            throw MediaError(.environment, "There is no memory for a frame of \(byteCount) bytes.")
        }
        return block
    }

    /// The sizes of the unused memory, in bytes.
    var unusedSizes: [Int] {
        unused.withLock { $0.blocks.filter { !$0.value.isEmpty }.keys.sorted() }
    }

    /// Frees the unused memory.
    package func removeUnused() {
        let blocks = unused.withLock { unused in
            defer { unused = Unused() }
            return unused.blocks
        }
        for block in blocks.values.joined() { block.free() }
    }

    func recycle(_ block: Block) {
        if let lender = block.lender { return lender.takeBack(block.memory) }
        guard block.byteCount >= FreshMemory.leastAllocation, block.byteCount <= byteLimit else {
            return block.free()
        }
        let freed = unused.withLock { unused -> [Block] in
            var freed: [Block] = []
            if unused.byteCount + block.byteCount > byteLimit {
                let same = unused.blocks.removeValue(forKey: block.byteCount) ?? []
                freed = Array(unused.blocks.values.joined())
                unused.blocks = [block.byteCount: same]
                unused.byteCount = same.count * block.byteCount
            }
            // All of it is of this size.
            guard unused.byteCount + block.byteCount <= byteLimit else { return freed + [block] }
            unused.byteCount += block.byteCount
            var kept = block
            kept.isFresh = false
            unused.blocks[block.byteCount, default: []].append(kept)
            return freed
        }
        for block in freed { block.free() }
    }

    private func takeUnused(_ byteCount: Int) -> Block? {
        unused.withLock { unused in
            guard let block = unused.blocks[byteCount]?.popLast() else { return nil }
            unused.byteCount -= byteCount
            return block
        }
    }
}
