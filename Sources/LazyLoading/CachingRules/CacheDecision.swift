public import LazyBytes

/// What a cache does with a request (RFC 9111, 4): serve, ask whether it has changed, or load.
public enum CacheDecision: Hashable, Sendable {
    /// Why a stored answer is served without a question.
    public enum Reason: Hashable, Sendable {
        /// It is fresh.
        case fresh
        /// It is stale, and the request or the policy takes it all the same.
        case accepted
        /// It is stale, may be used for a while, and is to be validated behind the scenes.
        case whileRevalidating
    }

    /// Serve a stored answer, by its place among those handed in.
    case serve(Int, Reason)
    /// Ask the server with these fields; on an error that can heal, serve it where that is allowed.
    case revalidate(Int, conditions: HTTPHeaders, isStaleServedOnError: Bool)
    /// Load it; on an error that can heal, serve the stored answer of this place, if any.
    case load(staleOnError: Int?)
    /// The network may not be asked, and nothing stored may be served.
    case unavailable

    /// Decides for a request about the answers that are stored under its address.
    public static func decide(
        _ request: LoadRequest, stored: [StoredResponse], isShared: Bool = false, now: WallTime
    ) -> CacheDecision {
        let control = CacheControl(request.headers)
        let place = newest(of: stored, matching: request.storedHeaders)
        switch request.policy {
        case .noCache, .reload: return .load(staleOnError: nil)
        case .cacheElseLoad: return place.map { .serve($0, .accepted) } ?? .load(staleOnError: nil)
        case .cacheOnly: return place.map { .serve($0, .accepted) } ?? .unavailable
        case .normal: break
        }
        let none: CacheDecision = control.isOnlyIfCached ? .unavailable : .load(staleOnError: nil)
        guard let place, !control.isNoStore else { return none }
        let response = stored[place]
        let freshness = Freshness(of: response, isShared: isShared, now: now)
        let judgement = Judgement(control, response, freshness, isShared: isShared)
        if let reason = judgement.servingReason {
            let isAlone = control.isOnlyIfCached && reason == .whileRevalidating
            return .serve(place, isAlone ? .accepted : reason)
        }
        if control.isOnlyIfCached { return .unavailable }
        let conditions = Validator(response.headers).conditions
        let isAllowed = judgement.isStaleAllowedOnError
        if conditions.fields.isEmpty { return .load(staleOnError: isAllowed ? place : nil) }
        return .revalidate(place, conditions: conditions, isStaleServedOnError: isAllowed)
    }

    // 4.1: of several that match, the one of the latest date.
    private static func newest(of stored: [StoredResponse], matching request: HTTPHeaders) -> Int? {
        stored.indices.filter {
            Vary(stored[$0].headers).matches(request, stored[$0].selectingHeaders)
        }.max { stored[$0].date < stored[$1].date }
    }
}

/// What the directives of a request and of a stored answer allow.
private struct Judgement {
    let request: CacheControl
    let response: CacheControl
    let freshness: Freshness
    let isShared: Bool

    init(
        _ request: CacheControl, _ response: StoredResponse, _ freshness: Freshness, isShared: Bool
    ) {
        self.isShared = isShared
        self.request = request
        self.response = CacheControl(response.headers)
        self.freshness = freshness
    }

    // 5.2.2.8 and 5.2.2.10: to a shared cache two more directives mean the same.
    private var isMustRevalidate: Bool {
        response.isMustRevalidate
            || isShared && ["proxy-revalidate", "s-maxage"].contains(where: response.contains)
    }

    var servingReason: CacheDecision.Reason? {
        guard !request.isNoCache, !response.isNoCache else { return nil }
        if freshness.isFresh { return isFreshEnough ? .fresh : nil }
        guard !isMustRevalidate, request.minFresh == nil else { return nil }
        if let maxStale = request.maxStale, isWithin(maxStale), isYoung(slack: maxStale) {
            return .accepted
        }
        if let length = response.staleWhileRevalidate, isWithin(length), isYoung(slack: 0) {
            return .whileRevalidating
        }
        return nil
    }

    var isStaleAllowedOnError: Bool {
        guard !request.isNoCache, !response.isNoCache, !isMustRevalidate else {
            return false
        }
        let lengths = [response.staleIfError, request.staleIfError].compactMap { $0 }
        return lengths.contains(where: isWithin)
    }

    private var isFreshEnough: Bool {
        if let minFresh = request.minFresh, freshness.staleness > .seconds(-minFresh) {
            return false
        }
        // RFC 8246: what is immutable need not be asked for again while it is fresh.
        return response.isImmutable || isYoung(slack: request.maxStale ?? 0)
    }

    private func isWithin(_ seconds: Int) -> Bool {
        seconds == .max || freshness.staleness <= .seconds(seconds)
    }

    private func isYoung(slack: Int) -> Bool {
        guard let maxAge = request.maxAge, slack != .max else { return true }
        return freshness.age <= .seconds(maxAge) + .seconds(slack)
    }
}
