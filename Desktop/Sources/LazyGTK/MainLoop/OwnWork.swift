internal import CLazyGTK
internal import LazyKit

/// The time that this package takes on the main thread, for measurements.
@MainActor package enum OwnWork {
    /// Whether it is measured.
    package static var isMeasured = false {
        didSet { lazy_main_actor_measure(isMeasured) }
    }
    private static var sum = Duration.zero
    private static var depth = 0
    private static let clock = SystemSteadyClock()

    /// Measures a body; calls inside of it are part of it.
    package static func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard isMeasured, depth == 0 else { return try body() }
        depth += 1
        let start = clock.now
        defer {
            sum += clock.now - start
            depth -= 1
        }
        return try body()
    }

    /// The time since the last call: calls of GTK into this package, and jobs of the main actor.
    package static func take() -> Duration {
        defer { sum = .zero }
        return sum + .microseconds(lazy_main_actor_take())
    }
}
