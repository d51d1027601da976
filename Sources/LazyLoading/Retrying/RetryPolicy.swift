/// The number and the delays of retries of a failed load.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of retries.
    public var maximumRetries: Int
    /// The maximum delay before the first retry; it doubles for each further one.
    public var firstDelay: Duration
    /// The maximum of all delays, including those the server asks for.
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

    /// The number of received bytes after which the count of retries is reset.
    ///
    /// A connection that breaks again and again is continued as long as each brings so many; one that brings a
    /// few bytes each time is given up after the retries.
    public static let progressThatCounts = 1 << 12

    /// The delay before a retry, the first being 0: exponential backoff with full jitter.
    ///
    /// - Parameters:
    ///   - retry: The number of retries before this one.
    ///   - retryAfter: The minimum delay that the server asks for.
    ///   - random: A number from 0 to 1.
    /// - Returns: The delay, at most `maximumDelay`.
    public func delay(before retry: Int, retryAfter: Duration?, random: Double) -> Duration {
        let factor = Double(1 << min(max(0, retry), 30))
        let longest = min(maximumDelay, firstDelay * factor)
        let jittered = longest * min(max(0, random), 1)
        return min(maximumDelay, max(jittered, retryAfter ?? .zero))
    }
}
