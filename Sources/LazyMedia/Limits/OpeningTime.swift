/// The time that one opening has taken so far, against its limit.
package struct OpeningTime: Sendable {
    private let limits: DecodingLimits
    private let start = ContinuousClock.now
    private var waited = Duration.zero

    init(_ limits: DecodingLimits) { self.limits = limits }

    /// Whether the time limit is exceeded.
    package var isOver: Bool { limits.openTime.map { spent > $0 } ?? false }

    /// Throws if the time limit is exceeded.
    package func check() throws(MediaError) {
        try limits.check(time: spent, most: limits.openTime, .openTime, "Opening")
    }

    /// Excludes time spent waiting for the source.
    package mutating func didWait(_ time: Duration) { waited += time }

    private var spent: Duration { ContinuousClock.now - start - waited }
}
