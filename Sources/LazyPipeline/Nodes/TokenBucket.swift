/// Lets so many through at once and then so many a second; pure, the time is handed in.
struct TokenBucket {
    private let interval: Duration
    private let burst: Int
    /// The moment at which the bucket will be full again.
    private var full: Duration

    init(perSecond rate: Int = 80, burst: Int = 25) {
        interval = .seconds(1) / rate
        self.burst = burst
        full = .zero - .seconds(1)
    }

    /// Takes a token, or tells when there will be one; then nothing is taken.
    mutating func take(at now: Duration) -> Duration? {
        let begin = max(full, now)
        let allowed = begin - interval * (burst - 1)
        guard allowed <= now else { return allowed }
        full = begin + interval
        return nil
    }
}
