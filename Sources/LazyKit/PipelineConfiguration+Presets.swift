extension ImagePipeline.Configuration {
    /// What `ImagePipeline.shared` is made of: the same as `withURLCache`.
    public static var standard: Self { withURLCache }

    /// Answers are kept on disk by the rules of HTTP, pictures in memory.
    ///
    /// The store is bounded to 512 MiB and shared with other processes of this user.
    public static var withURLCache: Self { withURLCache(StandardLoader.httpStore()) }

    /// The same with a store of one's own, or none.
    public static func withURLCache(_ store: (any EntryStoring)?) -> Self {
        Self(dataLoader: StandardLoader.make(store: store), decoders: .standard)
    }

    /// An aggressive disk cache in place of that of HTTP: what it has is never asked for again.
    ///
    /// - Parameters:
    ///   - name: The name of the cache, a folder beside those of others.
    ///   - sizeLimit: The bytes it may take; nil for 150 MiB.
    public static func withDataCache(
        name: String = "data", sizeLimit: Int? = nil
    ) -> Self {
        var configuration = withURLCache(nil)
        configuration.dataCache = try? DataCache(name: name, sizeLimit: sizeLimit ?? 150 << 20)
        return configuration
    }

    /// Nothing is kept on disk; pictures are kept in memory.
    public static var inMemory: Self { withURLCache(nil) }

    /// No network: what is in the store is taken, however old, and else it is an error.
    public static var offline: Self {
        var configuration = withURLCache
        configuration.dataLoader = PolicyLoader(
            next: configuration.dataLoader, policy: .cacheOnly)
        return configuration
    }

    /// For services: strangers' files, a memory cache of its own, many loads, no start-up brake.
    ///
    /// - Parameter limit: The bytes that pictures in memory may take.
    public static func server(limit: Int) -> Self {
        var configuration = withURLCache
        configuration.limits = .untrusted
        configuration.dataLoadingLimit = 64
        configuration.isRateLimiterEnabled = false
        configuration.maximumResponseDataSize = 100_000_000
        return configuration
    }
}
