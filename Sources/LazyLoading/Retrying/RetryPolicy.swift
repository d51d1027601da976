/// How often, and after what waits, a load that failed is tried again.
public struct RetryPolicy: Hashable, Sendable {
    /// How often a load is tried again.
    public var maximumRetries: Int
    /// The longest wait before the first of these; each further one may wait twice as long.
    public var firstDelay: Duration
    /// The longest wait of all, also where the server asks for a longer one.
    public var maximumDelay: Duration

    /// Makes a policy.
    public init(
        maximumRetries: Int = 2, firstDelay: Duration = .milliseconds(500),
        maximumDelay: Duration = .seconds(30)
    ) {
        self.maximumRetries = maximumRetries
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
    }

    /// Two retries, after at most half a second and a second.
    public static let standard = RetryPolicy()

    /// No retries.
    public static let none = RetryPolicy(maximumRetries: 0)

    /// How many bytes a broken body has to bring before its retries are counted anew.
    public static let progressThatCounts = 1 << 20

    /// The wait before a retry, the first being 0: exponential back-off with full jitter.
    ///
    /// - Parameters:
    ///   - retry: The number of retries before this one.
    ///   - retryAfter: What the server asks for, which is waited for at least.
    ///   - random: A number from 0 to 1.
    /// - Returns: The wait, never longer than `maximumDelay`.
    public func delay(before retry: Int, retryAfter: Duration?, random: Double) -> Duration {
        let factor = Double(1 << min(max(0, retry), 30))
        let longest = min(maximumDelay, firstDelay * factor)
        let jittered = longest * min(max(0, random), 1)
        return min(maximumDelay, max(jittered, retryAfter ?? .zero))
    }
}
