internal import LazyBase

/// The number of inputs that fit in memory.
enum BatchMemory {
    /// The memory of a job on a long clip in 1080p.
    static let each = 256 << 20

    /// The requested number, or one more than there are cores while half of the memory suffices.
    ///
    /// One waits for the disk, or for another process, while the others compute.
    static func jobs(_ asked: Int, limit: Int) -> Int {
        if asked > 0 { return asked }
        return max(1, min(BlockingPool.coreCount + 1, limit / 2 / each))
    }
}
