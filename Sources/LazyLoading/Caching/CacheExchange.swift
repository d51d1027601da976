internal import FoundationEssentials
internal import LazyBase

/// The steps of a load between the store and the network.
struct CacheExchange: Sendable {
    let next: any DataLoading
    let store: ResponseStore
    let isShared: Bool
    /// Where partial downloads of responses that must not be stored are kept in memory.
    let memory: ResponseStore
    let clocks: Clocks
    /// How many seconds a response that is too old serves on errors where its server says nothing.
    var staleIfError = 0

    func decide(_ request: LoadRequest, _ cached: [CachedResponse]) -> CacheDecision {
        .decide(
            request, stored: cached.map(\.response), isShared: isShared,
            staleIfError: staleIfError, now: clocks.wall())
    }

    /// Serves a cached response; removes it and returns nil if its body is unreadable.
    func serve(
        _ cached: CachedResponse, to request: LoadRequest, as origin: ResponseHead.Origin
    ) async throws(LoadingError) -> LoadResponse? {
        let body = cached.body
        let isReadable = await BlockingPool.disk.run { () -> Bool in
            guard body.count > 0 else { return false }
            return (try? body.bytes(at: 0, count: 1 << 16))?.isEmpty == false
        }
        guard isReadable else {
            await store.remove(cached)
            return nil
        }
        await store.note(request.identifier, cached)
        let response = cached.response
        let isSameURL = request.url.withoutUser == response.url
        var head = ResponseHead(
            url: isSameURL ? request.url : response.url, status: response.status,
            headers: response.headers,
            expectedCount: body.count, origin: origin)
        let age = Freshness(of: response, isShared: isShared, now: clocks.wall()).age
        head.headers["Age"] = String(age.wholeSeconds)
        head.isPrivate = response.isPrivate
        return try LoadResponse(head: head, blob: body, for: request)
    }

    /// Loads from the network: the rest of a partial download, a validation, or everything.
    func fetch(
        _ request: LoadRequest, _ cached: [CachedResponse], _ decision: CacheDecision
    ) async throws(LoadingError) -> LoadResponse {
        let plan = FetchPlan(decision, cached)
        do throws(LoadingError) {
            if request.isResumable, let response = try await continued(request) {
                return response
            }
            if let stale = plan.validated {
                return try await validate(request, stale, conditions: plan.conditions)
            }
            return try await loadAnew(request)
        } catch {
            guard error.isTransient, let fallback = plan.fallback,
                let response = try await serve(fallback, to: request, as: .stale)
            else { throw error }
            return response
        }
    }

    /// Continues a partial download; nil if there is none of use.
    private func continued(
        _ request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse? {
        if let part = await store.part(for: request) {
            return try await loadRest(request, part)
        }
        for store in [store, memory] {
            guard let partial = await store.takePartial(for: request) else { continue }
            return try await resume(request, partial)
        }
        return nil
    }

    /// Responds again after something was stored.
    func loadStored(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse? {
        let cached = await store.responses(to: request)
        let decision = decide(request, cached)
        if case .serve(let index, _) = decision {
            return try await serve(cached[index], to: request, as: .store)
        }
        return try await fetch(request, cached, decision)
    }

    /// Validates the cached response in the background, and stores a new one.
    func refresh(_ request: LoadRequest) async {
        let cached = await store.responses(to: request)
        var decision = decide(request, cached)
        if case .serve(let index, .whileRevalidating) = decision {
            let conditions = Validator(cached[index].response.headers).conditions
            decision =
                conditions.fields.isEmpty
                ? .load(staleOnError: nil)
                : .revalidate(index, conditions: conditions, isStaleServedOnError: false)
        } else if case .serve = decision {
            return
        }
        // On failure it is refreshed again when it is served the next time.
        guard let response = try? await fetch(request, cached, decision),
            response.head.origin != .revalidated
        else { return }
        while let piece = try? await response.body.next(), !piece.isEmpty {}
    }

    func validate(
        _ request: LoadRequest, _ stored: CachedResponse, conditions: HTTPHeaders
    ) async throws(LoadingError) -> LoadResponse {
        var networkRequest = request
        for field in conditions.fields { networkRequest.headers[field.name] = field.value }
        let requestTime = clocks.wall()
        let response = try await next.load(networkRequest)
        guard response.head.status == 304 else {
            return await keep(response, of: request, requestTime)
        }
        let old = Validator(stored.response.headers)
        guard !old.isContradicted(by: Validator(response.head.headers)) else {
            return try await loadAnew(request)
        }
        var updated = stored
        updated.response.update(
            from: response.head, requestTime: requestTime, responseTime: clocks.wall())
        await store.update(updated)
        guard let served = try await serve(updated, to: request, as: .revalidated) else {
            return try await loadAnew(request)
        }
        return served
    }

    /// Loads the whole response.
    func loadAnew(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        var networkRequest = request
        if request.policy == .reload, request.headers["Cache-Control"] == nil {
            networkRequest.headers["Cache-Control"] = "no-cache"
        }
        let requestTime = clocks.wall()
        let response = try await next.load(networkRequest)
        return await store(response, to: request, requestTime)
    }
}

/// What a decision means for the cached responses.
private struct FetchPlan {
    var validated: CachedResponse?
    var conditions = HTTPHeaders()
    var fallback: CachedResponse?

    init(_ decision: CacheDecision, _ cached: [CachedResponse]) {
        switch decision {
        case .revalidate(let index, let conditions, let isStaleServedOnError):
            validated = cached[index]
            self.conditions = conditions
            fallback = isStaleServedOnError ? cached[index] : nil
        case .load(let index): fallback = index.map { cached[$0] }
        case .serve, .unavailable: break
        }
    }
}
