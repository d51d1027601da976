internal import FoundationEssentials
internal import LazyBytes

/// The steps of a load between the store and the network.
struct CacheExchange: Sendable {
    let next: any DataLoading
    let store: ResponseStore
    let isShared: Bool
    /// Where answers that must not be stored wait in memory to be continued.
    let memory: ResponseStore
    let clocks: Clocks

    func decide(_ request: LoadRequest, _ answers: [StoredAnswer]) -> CacheDecision {
        .decide(
            request, stored: answers.map(\.response), isShared: isShared, now: clocks.wall())
    }

    /// Serves a stored answer; nil where its bytes cannot be read, and then it is gone.
    func serve(
        _ answer: StoredAnswer, to request: LoadRequest, as origin: ResponseHead.Origin
    ) async throws(LoadingError) -> LoadResponse? {
        let body = answer.body
        let isReadable = await BlockingPool.disk.run { () -> Bool in
            guard body.count > 0 else { return false }
            return (try? body.bytes(at: 0, count: 1 << 16))?.isEmpty == false
        }
        guard isReadable else {
            await store.remove(answer)
            return nil
        }
        await store.note(request.identifier, answer)
        let response = answer.response
        let isUnmoved = request.url.withoutUser == response.url
        var head = ResponseHead(
            url: isUnmoved ? request.url : response.url, status: response.status,
            headers: response.headers,
            expectedCount: body.count, origin: origin)
        let age = Freshness(of: response, isShared: isShared, now: clocks.wall()).age
        head.headers["Age"] = String(age.wholeSeconds)
        return try LoadResponse(head: head, blob: body, for: request)
    }

    /// Loads from the network: the rest of a partial, a validation, or all of it.
    func fetch(
        _ request: LoadRequest, _ answers: [StoredAnswer], _ decision: CacheDecision
    ) async throws(LoadingError) -> LoadResponse {
        let plan = FetchPlan(decision, answers)
        do throws(LoadingError) {
            if request.isResumable, let response = try await continued(request) {
                return response
            }
            if let asked = plan.asked {
                return try await validate(request, asked, conditions: plan.conditions)
            }
            return try await loadAnew(request)
        } catch {
            guard error.canHeal, let fallback = plan.fallback,
                let response = try await serve(fallback, to: request, as: .stale)
            else { throw error }
            return response
        }
    }

    /// Continues what an earlier load or ranges have left; nil where there is nothing of use.
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

    /// Answers again after something was stored.
    func loadStored(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse? {
        let answers = await store.answers(to: request)
        let decision = decide(request, answers)
        if case .serve(let place, _) = decision {
            return try await serve(answers[place], to: request, as: .store)
        }
        return try await fetch(request, answers, decision)
    }

    /// Validates what is stored and takes in what is new, for nobody who waits.
    func refresh(_ request: LoadRequest) async {
        let answers = await store.answers(to: request)
        var decision = decide(request, answers)
        if case .serve(let place, .whileRevalidating) = decision {
            let conditions = Validator(answers[place].response.headers).conditions
            decision =
                conditions.fields.isEmpty
                ? .load(staleOnError: nil)
                : .revalidate(place, conditions: conditions, isStaleServedOnError: false)
        } else if case .serve = decision {
            return
        }
        // What cannot be refreshed now is asked for again when it is next served.
        guard let response = try? await fetch(request, answers, decision),
            response.head.origin != .revalidated
        else { return }
        while let piece = try? await response.body.next(), !piece.isEmpty {}
    }

    func validate(
        _ request: LoadRequest, _ stored: StoredAnswer, conditions: HTTPHeaders
    ) async throws(LoadingError) -> LoadResponse {
        var question = request
        for field in conditions.fields { question.headers[field.name] = field.value }
        let requestTime = clocks.wall()
        let response = try await next.load(question)
        guard response.head.status == 304 else {
            return await keep(response, of: request, requestTime)
        }
        let old = Validator(stored.response.headers)
        guard !old.isContradicted(by: Validator(response.head.headers)) else {
            return try await loadAnew(request)
        }
        var answer = stored
        answer.response.update(
            from: response.head, requestTime: requestTime, responseTime: clocks.wall())
        await store.update(answer)
        guard let served = try await serve(answer, to: request, as: .revalidated) else {
            return try await loadAnew(request)
        }
        return served
    }

    /// Loads all of it.
    func loadAnew(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        var question = request
        if request.policy == .reload, request.headers["Cache-Control"] == nil {
            question.headers["Cache-Control"] = "no-cache"
        }
        let requestTime = clocks.wall()
        let response = try await next.load(question)
        return await store(response, to: request, requestTime)
    }

    /// Hands on an answer of the network, and stores it on the way where it may be.
    func store(
        _ response: LoadResponse, to request: LoadRequest, _ requestTime: WallTime
    ) async -> LoadResponse {
        let head = response.head
        guard [200, 203].contains(head.status) else { return response }
        let isStorable = Storability.isStorable(
            requestHeaders: request.headers, status: head.status, headers: head.headers,
            isShared: isShared, hasCredentials: request.hasCredentials)
        // RFC 9111, 5.2.2.5: what must not be stored may wait in memory, for its own end alone.
        let store = isStorable ? store : memory
        let stored = StoredResponse(
            head, to: request, requestTime: requestTime, responseTime: clocks.wall())
        let isResumable = request.isResumable && stored.isResumable
        guard isStorable || isHoldable(request, head), isResumable || !store.isVolatile,
            let writer = await store.makeWriter(for: request, stored)
        else { return response }
        let body = StoringBody(
            response.body, writer: writer, expectedCount: head.expectedCount,
            maximumCount: request.maximumBytes, isResumable: isResumable,
            isLent: !store.isVolatile)
        return LoadResponse(head: head, body: body.body)
    }

    /// Whether only the answer's own `no-store` forbids that it is stored.
    private func isHoldable(_ request: LoadRequest, _ head: ResponseHead) -> Bool {
        !CacheControl(request.headers).isNoStore && !Vary(head.headers).isAny
            && CacheControl(head.headers).isNoStore
    }
}

/// What a decision means for the answers that are stored.
private struct FetchPlan {
    var asked: StoredAnswer?
    var conditions = HTTPHeaders()
    var fallback: StoredAnswer?

    init(_ decision: CacheDecision, _ answers: [StoredAnswer]) {
        switch decision {
        case .revalidate(let place, let conditions, let isStaleServedOnError):
            asked = answers[place]
            self.conditions = conditions
            fallback = isStaleServedOnError ? answers[place] : nil
        case .load(let place): fallback = place.map { answers[$0] }
        case .serve, .unavailable: break
        }
    }
}
