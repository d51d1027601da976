internal import LazyBase

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
