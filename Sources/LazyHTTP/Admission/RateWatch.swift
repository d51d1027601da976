import LazyLoading

/// Sees whether bytes come fast enough: counts them from one window of time to the next.
///
/// Pure. A window begins with the first bytes, so that a server may take its time before it answers.
struct RateWatch {
    /// The least rate.
    let bytesPerSecond: Int
    private let window: Duration
    private var start: Duration?
    private var count = 0
    private var pausedAt: Duration?

    /// Takes the least rate, and the rate above which nothing is taken.
    init(_ rate: LoadRequest.MinimumRate?, limit: Int?) {
        // What is held back by ourselves is not the server's fault.
        bytesPerSecond = min(rate?.bytesPerSecond ?? 0, (limit ?? .max) / 2)
        window = max(rate?.window ?? .zero, .milliseconds(1))
    }

    /// Notes bytes that have come.
    mutating func didReceive(_ bytes: Int, at now: Duration) {
        if start == nil { start = now }
        count += bytes
    }

    /// Nothing is taken from here on.
    mutating func pause(at now: Duration) {
        if pausedAt == nil { pausedAt = now }
    }

    /// Bytes are taken again; the time between does not count.
    mutating func resume(at now: Duration) {
        if let pausedAt, let start { self.start = start + (now - pausedAt) }
        pausedAt = nil
    }

    /// When to look at the rate next.
    var deadline: Duration? {
        guard bytesPerSecond > 0, pausedAt == nil else { return nil }
        return start.map { $0 + window }
    }

    /// Whether too little has come in the window that has ended; begins another one where not.
    mutating func isTooSlow(at now: Duration) -> Bool {
        guard let deadline, deadline <= now, let start else { return false }
        if Double(count) < Double(bytesPerSecond) * ((now - start) / .seconds(1)) { return true }
        self.start = now
        count = 0
        return false
    }
}
