internal import LazyBase

/// Counts the attempts of a load, and waits between them.
final class Attempts: Sendable {
    private let policy: RetryPolicy
    private let clock: any SteadyClock
    private let random: @Sendable () -> Double
    private let deadline: Duration?
    private let retries = Locked(0)

    init(
        _ policy: RetryPolicy, _ clock: any SteadyClock, random: @escaping @Sendable () -> Double,
        totalTimeout: Duration?
    ) {
        self.policy = policy
        self.clock = clock
        self.random = random
        deadline = totalTimeout.map { clock.now + $0 }
    }

    /// Waits before the next attempt; throws the error if there is none left.
    func wait(after error: LoadingError) async throws(LoadingError) {
        if Task.isCancelled { throw .cancelled }
        guard error.isTransient, let retry = takeRetry() else { throw error }
        let delay = policy.delay(before: retry, retryAfter: error.retryAfter, random: random())
        let end = clock.now + delay
        if let deadline, end >= deadline { throw error }
        do { try await clock.sleep(until: end) } catch { throw .cancelled }
    }

    /// Resets the count after sufficient progress.
    func reset() { retries.withLock { $0 = 0 } }

    /// The request with the remaining time.
    func limited(_ request: LoadRequest) -> LoadRequest {
        guard let deadline else { return request }
        var request = request
        request.totalTimeout = max(.milliseconds(1), deadline - clock.now)
        return request
    }

    private func takeRetry() -> Int? {
        retries.withLock { retries in
            guard retries < policy.maximumRetries else { return nil }
            defer { retries += 1 }
            return retries
        }
    }
}
