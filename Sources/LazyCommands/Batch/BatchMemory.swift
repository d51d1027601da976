internal import LazyBytes

/// The number of inputs that fit in memory.
enum BatchMemory {
    /// The memory of a job on a long clip in 1080p.
    static let each = 256 << 20

    /// The requested number, or one per core while half of the memory suffices.
    static func jobs(_ asked: Int, limit: Int) -> Int {
        if asked > 0 { return asked }
        return max(1, min(BlockingPool.coreCount, limit / 2 / each))
    }
}
