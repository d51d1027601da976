internal import LazyCodecs
public import LazyIsolation
public import LazyLoading
internal import LazyMedia
public import LazyPipeline

extension ImagePipeline.Configuration {
    /// What `ImagePipeline.shared` is made of: the same as `withURLCache`.
    public static var standard: Self { withURLCache }

    /// Answers are kept on disk by the rules of HTTP, pictures in memory.
    ///
    /// The store is bounded to 512 MiB and shared with other processes of this user.
    public static var withURLCache: Self { withURLCache(StandardLoader.httpStore()) }

    /// The same with a store of one's own, or none; `isShared` where it answers several people.
    ///
    /// A process that lives for one picture passes nil for `imageCache`: watching the memory's
    /// pressure for it costs some 30 ms when the process ends.
    public static func withURLCache(
        _ store: (any EntryStoring)?, isShared: Bool = false,
        http: HTTPLoader.Configuration = .init(), retries: RetryPolicy = .standard,
        imageCache: (any ImageCaching)? = ImageCache.shared
    ) -> Self {
        var configuration = Self(
            dataLoader: StandardLoader.make(
                store: store, isShared: isShared, http: http, retries: retries),
            decoders: .standard)
        configuration.imageCache = imageCache
        configuration.remoteOpener = RangeOpener(loader: configuration.dataLoader)
        configuration.renditionEncoders = .standard
        if imageCache != nil { configuration.renditionCacheLimit = 64 << 20 }
        configuration.encoders = [
            SingleFrameEncoding(.jpeg, hasAlpha: false) { JPEGEncoder(quality: 85) },
            SingleFrameEncoding(.png, hasAlpha: true) { () throws(MediaError) in
                try PNGEncoder()
            },
            APNGEncoder(effort: 1, keepsFrames: true),
        ]
        return configuration
    }

    /// The same with nothing that is older than an interval, on disk or in memory.
    ///
    /// Each counts from when it got the answer. The memory cache is one of this configuration alone.
    public static func withURLCache(expiryInterval: Duration) -> Self {
        var configuration = withURLCache(
            StandardLoader.httpStore(
                limits: CacheFolder.limits(StoreLimits(entryAge: expiryInterval))),
            imageCache: ImageCache(ttl: expiryInterval))
        configuration.renditionCacheAge = expiryInterval
        return configuration
    }

    /// An aggressive disk cache in place of that of HTTP: what it has is never asked for again.
    ///
    /// It is a folder of that name beside those of others, of 150 MiB where nothing is said. What
    /// broken downloads leave is kept in the store of HTTP, so that they are continued. With an
    /// `expiryInterval` neither it nor the memory cache, which is then one of this configuration
    /// alone, answers with what it got longer ago; without one age does not matter.
    public static func withDataCache(
        name: String = "data", sizeLimit: Int = 150 << 20, expiryInterval: Duration? = nil
    ) -> Self {
        withDataCache(
            name: name, sizeLimit: sizeLimit, expiryInterval: expiryInterval,
            parts: StandardLoader.httpStore())
    }

    static func withDataCache(
        name: String, sizeLimit: Int, expiryInterval: Duration? = nil,
        parts: (any EntryStoring)?, retries: RetryPolicy = .standard
    ) -> Self {
        var configuration = withURLCache(parts.map(ResumptionStore.init), retries: retries)
        configuration.dataCache = try? DataCache(
            name: name, sizeLimit: sizeLimit, ageLimit: expiryInterval)
        if let expiryInterval { configuration.imageCache = ImageCache(ttl: expiryInterval) }
        configuration.renditionCacheAge = expiryInterval
        return configuration
    }

    /// The same with the standard name and size.
    public static var withDataCache: Self { withDataCache() }

    /// Nothing is kept on disk; pictures are kept in memory, in a cache of this configuration alone.
    public static var inMemory: Self { withURLCache(nil, imageCache: ImageCache()) }

    /// No network: what is in the store is taken, however old, and else it is an error.
    public static var offline: Self {
        var configuration = withURLCache
        configuration.dataLoader = PolicyLoader(
            next: configuration.dataLoader, policy: .cacheOnly)
        configuration.remoteOpener = nil
        return configuration
    }

    /// For services: a memory cache of its own, strangers' files, many loads, no start-up brake.
    ///
    /// `limit` is the bytes that pictures and renditions in memory may take, a quarter of it for renditions. Connections go only to the public
    /// Internet unless `addresses` says otherwise, so that strangers cannot reach the local network.
    /// The store is a shared cache: it keeps nothing that is `private`, and answers to requests with
    /// credentials only where they are `public` or have `s-maxage` or `must-revalidate`.
    ///
    /// Media is decoded in processes of their own, by the program that `DecoderHost.programPath()` finds;
    /// without it loads end with `.environment`. Two processes are forked ahead.
    public static func server(
        limit: Int, addresses: HTTPLoader.Configuration.AddressPolicy = .publicOnly,
        isolation: IsolationPolicy = .server
    ) -> Self {
        var http = HTTPLoader.Configuration()
        http.addressPolicy = addresses
        var configuration = withURLCache(
            StandardLoader.httpStore(), isShared: true, http: http)
        configuration.imageCache = ImageCache(costLimit: limit - limit / 4)
        configuration.renditionCacheLimit = limit / 4
        configuration.limits = .untrusted
        configuration.decoders = .standard.isolated(by: DecoderHost(isolation))
        configuration.dataLoadingLimit = 64
        configuration.isRateLimiterEnabled = false
        configuration.maximumResponseDataSize = 100_000_000
        return configuration
    }
}
