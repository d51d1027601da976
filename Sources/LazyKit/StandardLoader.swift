internal import LazyBase
public import LazyLoading
internal import LazyMedia

/// The loaders of this build, one around the other.
public enum StandardLoader {
    /// Reads `file:` and `data:` itself and the rest by HTTP, cached, continued and tried again.
    ///
    /// libcurl is loaded when the first `http` or `https` address is asked for.
    /// Without a `store` nothing is kept but what broken downloads leave, in memory; `isShared` says
    /// whether the store's answers go to several people, `http` how servers are talked to, `retries` how
    /// loads are tried again, `partials` where broken downloads wait that must not be stored,
    /// `staleIfError` how long stored answers serve where their server fails and has not said it itself,
    /// `conditions` whether the network is constrained.
    public static func make(
        store: (any EntryStoring)?, isShared: Bool = false,
        http: HTTPLoader.Configuration = .init(), retries: RetryPolicy = .standard,
        partials: PartialMemory = .shared, staleIfError: Duration = .zero,
        conditions: NetworkConditions = .shared
    ) -> any DataLoading {
        var http = http
        http.compressedExtensions.formUnion(FormatRegistry.standard.compressedExtensions)
        let network = RetryingLoader(
            CompletingLoader(HTTPLoader(configuration: http)), policy: retries)
        let cached = CachingLoader(
            network, store: store ?? partials, isShared: isShared, memory: partials,
            staleIfError: staleIfError)
        return LocalLoader(next: ConditionalLoader(cached, conditions: conditions))
    }

    /// The store of HTTP answers in a folder of caches, or nil where it cannot be made.
    ///
    /// A process has one for each folder and limits. There is none where the user has no folder for
    /// caches, or where that is another user's.
    public static func httpStore(
        in folder: String? = CacheFolder.standard, limits: StoreLimits = CacheFolder.limits()
    ) -> DiskStore? {
        guard let folder else { return nil }
        let path = folder + "/http"
        let place = Place(path: path, limits: limits)
        if let store = stores.withLock({ $0[place] }) { return store }
        guard let store = try? DiskStore(folder: path, limits: limits) else { return nil }
        return stores.withLock { stores in
            if let other = stores[place] { return other }
            stores[place] = store
            return store
        }
    }

    private struct Place: Hashable {
        let path: String
        let limits: StoreLimits
    }

    private static let stores = Locked<[Place: DiskStore]>([:])
}

/// Asks for everything by one policy, whatever the request says.
struct PolicyLoader: DataLoading, StoredResponseLoading, ResponseCaching {
    let next: any DataLoading
    let policy: FetchPolicy

    var responseCache: ResponseCache? {
        var store = (next as? any ResponseCaching)?.responseCache
        store?.policy = policy
        return store
    }

    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        var request = request
        request.policy = policy
        return try await next.load(request)
    }

    func storedResponse(to request: LoadRequest) async throws(LoadingError) -> LoadResponse? {
        var request = request
        request.policy = policy
        return try await (next as? any StoredResponseLoading)?.storedResponse(to: request)
    }
}
