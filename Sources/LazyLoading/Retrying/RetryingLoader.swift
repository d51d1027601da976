public import LazyBytes

/// Tries again what may succeed later, and continues bodies that break.
///
/// Only errors that can heal are tried again, after a wait: exponential back-off with full jitter,
/// or what `Retry-After` says. A body that breaks in the middle goes on by `Range` and `If-Range`
/// where its validator is strong, and the consumer sees one body; else the error goes through.
public struct RetryingLoader: DataLoading {
    private let next: any DataLoading
    private let policy: RetryPolicy
    private let clocks: Clocks
    private let random: @Sendable () -> Double

    /// Makes a loader around another.
    ///
    /// - Parameters:
    ///   - next: What loads.
    ///   - policy: How often and after what waits.
    ///   - clocks: What the waits go by.
    ///   - random: Gives numbers from 0 to 1 for the jitter.
    public init(
        _ next: any DataLoading, policy: RetryPolicy = .standard, clocks: Clocks = .system,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.next = next
        self.policy = policy
        self.clocks = clocks
        self.random = random
    }

    /// Loads, again and again if need be.
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
