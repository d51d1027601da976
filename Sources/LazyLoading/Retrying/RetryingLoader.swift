public import LazyBase

/// Retries failed loads, and continues interrupted bodies.
///
/// Only transient errors are retried, after a delay: exponential backoff with full jitter, or the
/// value of `Retry-After`; progress counts them anew. An interrupted body with a strong validator is continued by `Range` and
/// `If-Range`, one without it and of a known length by reading all again and comparing what was received; the consumer sees
/// one body. Otherwise the error is thrown, `.changed` where the bytes are others.
public struct RetryingLoader: DataLoading {
    private let next: any DataLoading
    private let policy: RetryPolicy
    private let clocks: Clocks
    private let random: @Sendable () -> Double

    /// Makes a loader around another.
    ///
    /// - Parameters:
    ///   - next: The wrapped loader.
    ///   - policy: The number and the delays of retries.
    ///   - clocks: The clocks of the delays.
    ///   - random: Returns numbers from 0 to 1 for the jitter.
    public init(
        _ next: any DataLoading, policy: RetryPolicy = .standard, clocks: Clocks = .system,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.next = next
        self.policy = policy
        self.clocks = clocks
        self.random = random
    }

    /// Loads, with retries.
    public func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        let attempts = Attempts(
            policy, clocks.steady, random: random, totalTimeout: request.totalTimeout)
        while true {
            do throws(LoadingError) {
                let response = try await next.load(attempts.limited(request))
                guard policy.maximumRetries > 0 else { return response }
                return ContinuedBody.continuing(response, request, next, attempts)
            } catch {
                try await attempts.wait(after: error)
            }
        }
    }
}
