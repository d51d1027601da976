internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading

/// Loaded bytes, and where they came from.
struct LoadedData: Sendable {
    var blob: Blob
    var head: ResponseHead?
    var cacheType: CacheType?
    /// The URL that answered in place of the request's own, or nil.
    var substitute: URL?
}

typealias DataWork = WorkUnit<LoadedData, GrowingBody>

extension ResponseHead {
    /// The cache that answered, or nil for the source.
    var cacheType: CacheType? {
        switch origin {
        case .store, .revalidated, .stale: .disk
        default: nil
        }
    }
}
