public import LazyLoading
public import LazyRenditions

extension ImagePipeline.Configuration {
    /// Keeps renditions in a cache on disk, which then has nothing else.
    ///
    /// With a store behind it, which several machines share, the cache keeps what that store has; it is read first.
    public mutating func storeRenditions(
        in cache: any DataCaching, before store: (any Rendition.Storing)? = nil
    ) {
        let near = DataCacheResults(cache: cache)
        renditionStore = store.map { NearResults(near: near, far: $0) } ?? near
    }
}
