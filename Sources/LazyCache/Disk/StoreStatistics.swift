internal import LazyBytes

/// How much a store keeps.
public struct StoreStatistics: Hashable, Sendable {
    /// The number of entries.
    public var count = 0
    /// Bytes of their files.
    public var byteCount = 0
    /// Bytes that they take on the disk.
    public var allocatedByteCount = 0
    /// The number of entries that are being written or suspended.
    public var partialCount = 0
    /// Bytes of those, without their holes.
    public var partialByteCount = 0
    /// What may be kept.
    public var limits = StoreLimits()

    /// Makes the statistics of an empty store.
    public init() {}
}

extension DiskStore {
    /// Counts what is there; blocks, but reads no entry.
    public func statistics() -> StoreStatistics {
        var statistics = StoreStatistics()
        statistics.limits = limits
        for entry in scan().entries {
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
