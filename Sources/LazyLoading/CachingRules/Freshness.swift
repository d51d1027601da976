public import LazyBase

/// The age and the freshness lifetime of a stored response (RFC 9111, 4.2).
public struct Freshness: Hashable, Sendable {
    /// How long the response is fresh, from its creation by the server.
    public let lifetime: Duration
    /// The current age.
    public let age: Duration
    /// Whether the lifetime is heuristic, from the date of the last change.
    public let isHeuristic: Bool

    /// The maximum heuristic lifetime.
    public static let longestHeuristic = Duration.seconds(24 * 3600)

    /// Applies the rules of a private cache, which ignores `s-maxage`, or of a shared one.
    public init(of response: StoredResponse, isShared: Bool = false, now: WallTime) {
        (lifetime, isHeuristic) = Self.lifetime(of: response, isShared)
        age = Self.age(of: response, now: now)
    }

    /// Whether it may be used without validation.
    public var isFresh: Bool { lifetime > age }

    /// How long it has been stale; negative if it is fresh.
    public var staleness: Duration { age - lifetime }

    // 4.2.1; of duplicate fields the first counts.
    private static func lifetime(
        of response: StoredResponse, _ isShared: Bool
    ) -> (Duration, Bool) {
        let control = CacheControl(response.headers)
        if isShared, let maxAge = control.sharedMaxAge { return (.seconds(maxAge), false) }
        if let maxAge = control.maxAge { return (.seconds(maxAge), false) }
        if let expires = response.headers.values(of: "Expires").first {
            guard let end = HTTPDate.parse(expires, now: response.responseTime) else {
                return (.zero, false)
            }
            return (max(.zero, end - response.date), false)
        }
        guard Storability.isCacheableByDefault(response.status) || control.isPublic,
            let changed = response.headers.values(of: "Last-Modified").first
                .flatMap({ HTTPDate.parse($0, now: response.responseTime) })
        else { return (.zero, false) }
        // 4.2.2: a tenth of the time since the last change.
        return (min(longestHeuristic, max(.zero, (response.date - changed) / 10)), true)
    }

    // 4.2.3; a clock that is set back does not make the response younger than on arrival.
    private static func age(of response: StoredResponse, now: WallTime) -> Duration {
        let apparent = max(.zero, response.responseTime - response.date)
        let delay = max(.zero, response.responseTime - response.requestTime)
        let reported =
            response.headers["Age"]?.fieldMembers.first.flatMap(CacheControl.seconds) ?? 0
        let resident = max(.zero, now - response.responseTime)
        return max(apparent, .seconds(reported) + delay) + resident
    }
}
