internal import FoundationEssentials
public import LazyBytes
public import LazyCache

/// Answers from a store where the rules of HTTP allow it, and stores what the network answers.
///
/// A private cache (RFC 9111), or a shared one. The body is written once, while the consumer pulls it, and is in
/// the store when the consumer has seen its end. What an interrupted load leaves is continued by the
/// next one, in this process or another: `Range` with `If-Range`.
///
/// Answers to requests with credentials, which are `Authorization`, `Cookie` and what
/// `LoadRequest.secretHeaders` names, are kept apart: they answer requests with the same ones only,
/// whether or not the server thinks of `Vary`.
public final class CachingLoader: DataLoading, StoredAnswering, AnswerKeeping {
    private let exchange: CacheExchange
    private let background = BackgroundLoads()

    /// Makes a loader around the one that loads from the network.
    ///
    /// A store whose answers go to several people `isShared`: what is `private` is not kept then, an
    /// answer to a request with credentials only where it is `public` or has `s-maxage` or
    /// `must-revalidate` (RFC 9111, 3.5), and `s-maxage` says how long it is fresh. Broken loads of
    /// answers with `no-store` wait in `memory`, to be continued by this process.
    public init(
        _ next: any DataLoading, store: any EntryStoring, isShared: Bool = false,
        memory: PartialMemory = .shared, clocks: Clocks = .system
    ) {
        exchange = CacheExchange(
            next: next, store: ResponseStore(store), isShared: isShared,
            memory: ResponseStore(memory), clocks: clocks)
    }

    deinit { background.cancelAll() }

    /// Answers from the store, or from the network.
    public func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        guard request.isForCache else { return try await exchange.next.load(request) }
        let answers = await exchange.store.answers(to: request)
        let decision = exchange.decide(request, answers)
        if let version = request.headers["If-Range"] {
            return try await load(request, of: version, answers, decision)
        }
        switch decision {
        case .unavailable: throw .notCached(request)
        case .serve(let place, let reason):
            let origin: ResponseHead.Origin = reason == .whileRevalidating ? .stale : .store
            guard let response = try await exchange.serve(answers[place], to: request, as: origin)
            else { return try await loadUnstored(request) }
            if reason == .whileRevalidating { refresh(request) }
            return response
        case .revalidate, .load:
            if request.range != nil {
                return try await exchange.loadPart(request, answers, decision)
            }
            return try await exchange.fetch(request, answers, decision)
        }
    }

    // Who goes on with one version has had it validated: it is as good from here as from there.
    private func load(
        _ request: LoadRequest, of version: String, _ answers: [StoredAnswer],
        _ decision: CacheDecision
    ) async throws(LoadingError) -> LoadResponse {
        let answer = answers.first { answer in
            Validator(answer.response.headers).ifRange == version
                && Vary(answer.response.headers).matches(
                    request.storedHeaders, answer.response.selectingHeaders)
        }
        if let answer, request.policy != .reload,
            let response = try await exchange.serve(answer, to: request, as: .store)
        {
            return response
        }
        return try await exchange.loadPart(request, answers, decision)
    }

    // What is stored has turned out to be unreadable.
    private func loadUnstored(
        _ request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse {
        if exchange.decide(request, []) == .unavailable { throw .notCached(request) }
        let decision = CacheDecision.load(staleOnError: nil)
        if request.range != nil { return try await exchange.loadPart(request, [], decision) }
        return try await exchange.fetch(request, [], decision)
    }

    /// The answer that needs no word to the server, or nil.
    public func storedAnswer(
        to request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse? {
        guard request.isForCache else { return nil }
        let answers = await exchange.store.answers(to: request)
        guard case .serve(let place, let reason) = exchange.decide(request, answers) else {
            return nil
        }
        let origin: ResponseHead.Origin = reason == .whileRevalidating ? .stale : .store
        return try await exchange.serve(answers[place], to: request, as: origin)
    }

    /// What is stored.
    public var answerStore: AnswerStore? { AnswerStore(exchange) }

    /// Waits until no load goes on behind the scenes (`stale-while-revalidate`).
    public func waitForRevalidations() async { await background.waitForAll() }

    private func refresh(_ request: LoadRequest) {
        var request = request
        request.range = nil
        request.maximumBytes = nil
        let exchange = exchange
        background.begin(Self.key(for: request)) { [request] in
            await exchange.refresh(request)
        }
    }
}

/// A loader that can tell what it would answer without the network.
public protocol StoredAnswering: DataLoading {
    /// The answer that needs no word to the server, or nil.
    func storedAnswer(to request: LoadRequest) async throws(LoadingError) -> LoadResponse?
}

extension LoadingError {
    static func notCached(_ request: LoadRequest) -> LoadingError {
        LoadingError(.notCached, "\(request.url.shortLabel) is not stored, and may not be loaded.")
    }
}

extension LoadRequest {
    // Whoever sets conditions of his own wants the server's own answer, but to go on with a version.
    var isForCache: Bool {
        let own =
            ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "Range"]
            + (range == nil ? ["If-Range"] : [])
        return policy != .noCache && ["http", "https"].contains(url.scheme?.lowercased())
            && !own.contains { headers[$0] != nil }
    }
}
