internal import LazyBytes

/// How many inputs there is memory for.
enum BatchMemory {
    /// What a job on a long clip in 1080p may take.
    static let each = 256 << 20

    /// The jobs asked for, or one a core while half of the memory does.
    static func jobs(_ asked: Int, limit: Int) -> Int {
        if asked > 0 { return asked }
        return max(1, min(BlockingPool.coreCount, limit / 2 / each))
    }
}
