internal import LazyBase
internal import LazyLoading
internal import Logging
internal import Metrics

/// Whether a store is asked, which has just failed: not for a second, and longer each time it fails again.
struct StorePause: Equatable {
    private static let shortest = Duration.seconds(1), longest = Duration.seconds(30)

    private var end = Duration.zero
    private(set) var length = Duration.zero

    /// Whether it is asked; while it is not well, one request is its test.
    mutating func mayAsk(at now: Duration) -> Bool {
        guard length > .zero else { return true }
        guard now >= end else { return false }
        end = now + length
        return true
    }

    mutating func didFail(at now: Duration) {
        length = length == .zero ? Self.shortest : min(length * 2, Self.longest)
        end = now + length
    }

    mutating func didSucceed() { self = StorePause() }
}

/// Asks a store of results unless it has just failed; a failure is a warning and a metric.
final class StoreHealth: Sendable {
    private let clock: any SteadyClock
    private let pause = Locked(StorePause())
    private let logger = Logger(label: "lazyimg.results")
    private let failures = Counter(label: "lazyimg.result.store.failures")
    private let skipped = Counter(label: "lazyimg.result.store.skipped")

    init(clock: any SteadyClock = SystemSteadyClock()) { self.clock = clock }

    /// Does what a store is asked for; throws at once while it is left alone.
    func watch<Value: Sendable>(
        _ work: () async throws(LoadingError) -> Value
    ) async throws(LoadingError) -> Value {
        guard pause.withLock({ $0.mayAsk(at: clock.now) }) else {
            skipped.increment()
            throw LoadingError(.environment, "The store of results has failed a moment ago.")
        }
        do throws(LoadingError) {
            let value = try await work()
            pause.withLock { $0.didSucceed() }
            return value
        } catch {
            guard error.code != .cancelled else { throw error }
            failures.increment()
            let length = pause.withLock { pause in
                pause.didFail(at: clock.now)
                return pause.length
            }
            logger.warning(
                "The store of results fails; results are made without it.",
                metadata: [
                    "error": "\(error)", "seconds": "\(length.components.seconds)",
                ])
            throw error
        }
    }
}
