/// Checks that bytes arrive fast enough: counts them in consecutive windows of time.
///
/// Pure. The first window begins with the first bytes, so that a slow response is allowed.
struct RateWatch {
    /// The minimum rate.
    let bytesPerSecond: Int
    private let window: Duration
    private var start: Duration?
    private var count = 0
    private var pausedAt: Duration?

    /// Takes the minimum rate, and the limit that the loader itself imposes.
    init(_ rate: LoadRequest.MinimumRate?, limit: Int?) {
        // The loader's own limit is not the server's fault.
        bytesPerSecond = min(rate?.bytesPerSecond ?? 0, (limit ?? .max) / 2)
        window = max(rate?.window ?? .zero, .milliseconds(1))
    }

    /// Counts received bytes.
    mutating func didReceive(_ bytes: Int, at now: Duration) {
        if start == nil { start = now }
        count += bytes
    }

    /// Stops the count while the transfer is paused.
    mutating func pause(at now: Duration) {
        if pausedAt == nil { pausedAt = now }
    }

    /// Resumes the count; the pause is left out.
    mutating func resume(at now: Duration) {
        if let pausedAt, let start { self.start = start + (now - pausedAt) }
        pausedAt = nil
    }

    /// When to check the rate next.
    var deadline: Duration? {
        guard bytesPerSecond > 0, pausedAt == nil else { return nil }
        return start.map { $0 + window }
    }

    /// Whether too few bytes arrived in the last window; if not, begins another one.
    mutating func isTooSlow(at now: Duration) -> Bool {
        guard let deadline, deadline <= now, let start else { return false }
        if Double(count) < Double(bytesPerSecond) * ((now - start) / .seconds(1)) { return true }
        self.start = now
        count = 0
        return false
    }
}
