internal import LazyBase

/// The size of a store.
public struct StoreStatistics: Hashable, Sendable {
    /// The number of entries.
    public var count = 0
    /// The size of their files.
    public var byteCount = 0
    /// Their disk space.
    public var allocatedByteCount = 0
    /// The number of partial entries.
    public var partialCount = 0
    /// The size of partial entries, without holes.
    public var partialByteCount = 0
    /// The limits.
    public var limits = StoreLimits()

    /// Makes the statistics of an empty store.
    public init() {}
}

extension DiskStore {
    /// Counts the entries; blocks, but opens none.
    public func statistics() -> StoreStatistics {
        var statistics = StoreStatistics()
        statistics.limits = limits
        forEachFound { entry in
            statistics.count += 1
            statistics.byteCount += entry.status.size
            statistics.allocatedByteCount += entry.status.allocatedSize
        }
        for partial in scanPartials() {
            statistics.partialCount += 1
            statistics.partialByteCount += partial.status.keptSize
        }
        return statistics
    }
}
