/// A rate limit: allows a burst at once, and then a number of events a second.
///
/// Pure: the current time is a parameter. Counts the time until the bucket is full (GCRA), so that
/// nothing is rounded.
package struct TokenBucket: Sendable {
    private let interval: Duration
    private let burst: Int
    /// When the bucket is full again.
    private var fullTime: Duration?

    /// Makes a full bucket.
    package init(perSecond rate: Double, burst: Int) {
        interval = .seconds(1) / max(rate, 0.001)
        self.burst = max(1, burst)
    }

    /// Takes a token and returns nil, or returns the time of the next one.
    package mutating func take(at now: Duration) -> Duration? {
        let next = nextToken(at: now)
        if next > now { return next }
        fullTime = max(fullTime ?? now, now) + interval
        return nil
    }

    /// The time from which on a token is available; `now` if there is one.
    package func nextToken(at now: Duration) -> Duration {
        max(now, (fullTime ?? now) - interval * (burst - 1))
    }

    /// Whether no token is missing.
    package func isFull(at now: Duration) -> Bool { fullTime ?? now <= now }
}
