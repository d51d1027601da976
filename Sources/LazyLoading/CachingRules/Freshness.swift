public import LazyBytes

/// How old a stored answer is and how long it stays fresh (RFC 9111, 4.2).
public struct Freshness: Hashable, Sendable {
    /// How long the answer is fresh, from the moment the server made it.
    public let lifetime: Duration
    /// How old it is.
    public let age: Duration
    /// Whether the lifetime is a guess by the date of the last change.
    public let isHeuristic: Bool

    /// The longest lifetime that is guessed.
    public static let longestGuess = Duration.seconds(24 * 3600)

    /// Reckons by the rules of a private cache, to which `s-maxage` means nothing, or of a shared one.
    public init(of response: StoredResponse, isShared: Bool = false, now: WallTime) {
        (lifetime, isHeuristic) = Self.lifetime(of: response, isShared)
        age = Self.age(of: response, now: now)
    }

    /// Whether it may be used without a question.
    public var isFresh: Bool { lifetime > age }

    /// For how long it has been stale; below zero where it is fresh.
    public var staleness: Duration { age - lifetime }

    // 4.2.1; what is said twice counts as it was said first.
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
        return (min(longestGuess, max(.zero, (response.date - changed) / 10)), true)
    }

    // 4.2.3; a clock that was set back does not make an answer younger than it came.
    private static func age(of response: StoredResponse, now: WallTime) -> Duration {
        let apparent = max(.zero, response.responseTime - response.date)
        let delay = max(.zero, response.responseTime - response.requestTime)
        let told = response.headers["Age"]?.fieldMembers.first.flatMap(CacheControl.seconds) ?? 0
        let resident = max(.zero, now - response.responseTime)
        return max(apparent, .seconds(told) + delay) + resident
    }
}
