public import LazyBase

/// The handling of a request by a cache (RFC 9111, 4): serve, validate, or load.
public enum CacheDecision: Hashable, Sendable {
    /// Why a stored response is served without validation.
    public enum Reason: Hashable, Sendable {
        /// It is fresh.
        case fresh
        /// It is stale, but the request or the policy accepts it.
        case accepted
        /// It is stale, may be used for a while, and must be validated in the background.
        case whileRevalidating
    }

    /// Serve a stored response, by its index.
    case serve(Int, Reason)
    /// Validate with these fields; on a transient error, serve the stored response if that is allowed.
    case revalidate(Int, conditions: HTTPHeaders, isStaleServedOnError: Bool)
    /// Load; on a transient error, serve the stored response of this index, if any.
    case load(staleOnError: Int?)
    /// The network must not be used, and nothing stored may be served.
    case unavailable

    /// Decides for a request and the stored responses of its URL.
    ///
    /// `staleIfError` is how many seconds a response that is too old serves on errors where its server says nothing.
    public static func decide(
        _ request: LoadRequest, stored: [StoredResponse], isShared: Bool = false,
        staleIfError: Int = 0, now: WallTime
    ) -> CacheDecision {
        let control = CacheControl(request.headers)
        let index = newest(of: stored, matching: request.storedHeaders)
        switch request.policy {
        case .noCache, .reload: return .load(staleOnError: nil)
        case .cacheElseLoad: return index.map { .serve($0, .accepted) } ?? .load(staleOnError: nil)
        case .cacheOnly: return index.map { .serve($0, .accepted) } ?? .unavailable
        case .normal: break
        }
        let none: CacheDecision = control.isOnlyIfCached ? .unavailable : .load(staleOnError: nil)
        guard let index, !control.isNoStore else { return none }
        let response = stored[index]
        let freshness = Freshness(of: response, isShared: isShared, now: now)
        let policy = FreshnessPolicy(
            control, response, freshness, isShared: isShared, staleIfError: staleIfError)
        if let reason = policy.servingReason {
            let isAlone = control.isOnlyIfCached && reason == .whileRevalidating
            return .serve(index, isAlone ? .accepted : reason)
        }
        if control.isOnlyIfCached { return .unavailable }
        let conditions = Validator(response.headers).conditions
        let isAllowed = policy.isStaleAllowedOnError
        if conditions.fields.isEmpty { return .load(staleOnError: isAllowed ? index : nil) }
        return .revalidate(index, conditions: conditions, isStaleServedOnError: isAllowed)
    }

    // 4.1: of several matches, that of the latest date.
    private static func newest(of stored: [StoredResponse], matching request: HTTPHeaders) -> Int? {
        stored.indices.filter {
            Vary(stored[$0].headers).matches(request, stored[$0].selectingHeaders)
        }.max { stored[$0].date < stored[$1].date }
    }
}

/// The uses of a stored response that its directives and those of the request allow.
private struct FreshnessPolicy {
    let request: CacheControl
    let response: CacheControl
    let freshness: Freshness
    let isShared: Bool
    /// Where neither the server nor the request says it.
    let staleIfError: Int

    init(
        _ request: CacheControl, _ response: StoredResponse, _ freshness: Freshness,
        isShared: Bool, staleIfError: Int
    ) {
        self.isShared = isShared
        self.staleIfError = staleIfError
        self.request = request
        self.response = CacheControl(response.headers)
        self.freshness = freshness
    }

    // 5.2.2.8 and 5.2.2.10: two more directives mean the same to a shared cache.
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
        if lengths.isEmpty, staleIfError > 0 { return isWithin(staleIfError) }
        return lengths.contains(where: isWithin)
    }

    private var isFreshEnough: Bool {
        if let minFresh = request.minFresh, freshness.staleness > .seconds(-minFresh) {
            return false
        }
        // RFC 8246: an immutable response is not validated while it is fresh.
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
