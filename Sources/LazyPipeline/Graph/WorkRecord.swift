internal import LazyLoading

/// What work has cost, gathered on its way up.
struct WorkRecord: Sendable {
    var queued = Duration.zero
    var fetching = Duration.zero
    var decoding = Duration.zero
    var processing = Duration.zero
    var networkBytes = 0
    var storeBytes = 0
    var origin: ResponseHead.Origin?
    var cacheType: CacheType?
}
