internal import LazyLoading

/// What work has cost, with the work that it depends on.
struct WorkRecord: Sendable {
    var queued = Duration.zero
    var fetching = Duration.zero
    var decoding = Duration.zero
    var processing = Duration.zero
    var networkBytes = 0
    var storeBytes = 0
    var origin: ResponseHead.Origin?
    var cacheType: CacheType?

    init(cacheType: CacheType? = nil) { self.cacheType = cacheType }

    /// The cost of a response of so many bytes.
    init(of head: ResponseHead, count: Int) {
        origin = head.origin
        cacheType = head.cacheType
        switch head.origin {
        case .network: networkBytes = count
        case .resumed:
            storeBytes = min(head.resumedCount, count)
            networkBytes = count - storeBytes
        default: storeBytes = count
        }
    }

    /// Adds the cost of other work.
    mutating func add(_ other: WorkRecord) {
        queued += other.queued
        fetching += other.fetching
        decoding += other.decoding
        processing += other.processing
        networkBytes += other.networkBytes
        storeBytes += other.storeBytes
        origin = other.origin ?? origin
        cacheType = other.cacheType ?? cacheType
    }
}
