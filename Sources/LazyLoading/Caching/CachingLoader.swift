internal import FoundationEssentials
public import LazyBase

/// Serves responses from a store as HTTP allows it, and stores those of the network.
///
/// A private or shared cache (RFC 9111). The body is written while the consumer pulls it, and is in
/// the store when the consumer has received its end. An interrupted load is continued by the next
/// one, in this process or another: `Range` with `If-Range`.
///
/// Responses to requests with credentials (`Authorization`, `Cookie` and the fields of
/// `LoadRequest.secretHeaders`) are only served to requests with the same credentials, even without
/// `Vary`.
public final class CachingLoader: DataLoading, StoredResponseLoading, ResponseCaching {
    private let exchange: CacheExchange
    private let background = BackgroundLoads()

    /// Makes a loader around the one that loads from the network.
    ///
    /// A cache for several users must be `isShared`: it does not store `private` responses, stores
    /// responses to requests with credentials only if they are `public` or have `s-maxage` or
    /// `must-revalidate` (RFC 9111, 3.5), and honors `s-maxage`. Interrupted loads of `no-store`
    /// responses are kept in `memory`, to be continued by this process. A response that is too old serves on errors
    /// for `staleIfError` where its server does not say for how long (RFC 5861, 4).
    public init(
        _ next: any DataLoading, store: any EntryStoring, isShared: Bool = false,
        memory: PartialMemory = .shared, staleIfError: Duration = .zero, clocks: Clocks = .system
    ) {
        exchange = CacheExchange(
            next: next, store: ResponseStore(store), isShared: isShared,
            memory: ResponseStore(memory), clocks: clocks,
            staleIfError: Int(clamping: staleIfError.wholeSeconds))
    }

    deinit { background.cancelAll() }

    /// Responds from the store, or from the network.
    public func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        guard request.isForCache else { return try await exchange.next.load(request) }
        let cached = await exchange.store.responses(to: request)
        let decision = exchange.decide(request, cached)
        if let version = request.headers["If-Range"] {
            return try await load(request, of: version, cached, decision)
        }
        switch decision {
        case .unavailable: throw .notCached(request)
        case .serve(let index, let reason):
            let origin: ResponseHead.Origin = reason == .whileRevalidating ? .stale : .store
            guard let response = try await exchange.serve(cached[index], to: request, as: origin)
            else { return try await loadUnstored(request) }
            if reason == .whileRevalidating { refresh(request) }
            return response
        case .revalidate, .load:
            if request.range != nil {
                return try await exchange.loadPart(request, cached, decision)
            }
            return try await exchange.fetch(request, cached, decision)
        }
    }

    // A request with `If-Range` continues a version that was validated: the cached one is as good.
    private func load(
        _ request: LoadRequest, of version: String, _ cached: [CachedResponse],
        _ decision: CacheDecision
    ) async throws(LoadingError) -> LoadResponse {
        let match = cached.first { cached in
            Validator(cached.response.headers).ifRange == version
                && Vary(cached.response.headers).matches(
                    request.storedHeaders, cached.response.selectingHeaders)
        }
        if let match, request.policy != .reload,
            let response = try await exchange.serve(match, to: request, as: .store)
        {
            return response
        }
        return try await exchange.loadPart(request, cached, decision)
    }

    // The cached response is unreadable.
    private func loadUnstored(
        _ request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse {
        if exchange.decide(request, []) == .unavailable { throw .notCached(request) }
        let decision = CacheDecision.load(staleOnError: nil)
        if request.range != nil { return try await exchange.loadPart(request, [], decision) }
        return try await exchange.fetch(request, [], decision)
    }

    /// The response that is available without contacting the server, or nil.
    public func storedResponse(
        to request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse? {
        guard request.isForCache else { return nil }
        let cached = await exchange.store.responses(to: request)
        guard case .serve(let index, let reason) = exchange.decide(request, cached) else {
            return nil
        }
        let origin: ResponseHead.Origin = reason == .whileRevalidating ? .stale : .store
        return try await exchange.serve(cached[index], to: request, as: origin)
    }

    /// The cached responses.
    public var responseCache: ResponseCache? { ResponseCache(exchange) }

    /// Waits for all background loads (`stale-while-revalidate`).
    public func waitForRevalidations() async { await background.waitForAll() }

    private func refresh(_ request: LoadRequest) {
        var request = request
        request.range = nil
        request.maximumBytes = nil
        let exchange = exchange
        background.begin(CacheKey.of(request)) { [request] in
            await exchange.refresh(request)
        }
    }
}

/// A loader that can respond from a cache without the network.
public protocol StoredResponseLoading: DataLoading {
    /// The response that is available without contacting the server, or nil.
    func storedResponse(to request: LoadRequest) async throws(LoadingError) -> LoadResponse?
}

extension LoadingError {
    static func notCached(_ request: LoadRequest) -> LoadingError {
        LoadingError(.notCached, "\(request.url.shortLabel) is not cached and must not be loaded.")
    }
}

extension LoadRequest {
    // A request with its own conditions wants the server's response, except to continue a version.
    var isForCache: Bool {
        let own =
            ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "Range"]
            + (range == nil ? ["If-Range"] : [])
        return policy != .noCache && url.isRemote
            && !own.contains { headers[$0] != nil }
    }
}
