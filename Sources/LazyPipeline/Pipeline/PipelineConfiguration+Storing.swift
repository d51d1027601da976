public import LazyLoading

extension ImagePipeline.Configuration {
    /// Keeps renditions in a cache on disk, which then has nothing else.
    public mutating func storeRenditions(in cache: any DataCaching) {
        renditionStore = DataCacheResults(cache: cache)
    }
}
