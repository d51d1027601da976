internal import CLazyGTK
internal import LazyKit

/// The time that this package takes on the main thread, for measurements.
@MainActor package enum OwnWork {
    /// A time of the main thread.
    package struct Time: Sendable {
        /// The time that the thread ran.
        package var cpu = Duration.zero
        /// The time that passed, also while the thread waited for a core.
        package var wall = Duration.zero
    }

    /// Whether it is measured.
    package static var isMeasured = false {
        didSet { lazy_work_measure(isMeasured) }
    }

    /// Measures a body; calls inside of it are part of it.
    package static func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        lazy_work_begin()
        defer { lazy_work_end() }
        return try body()
    }

    /// The time since the last call: calls of GTK into this package, and jobs of the main actor.
    package static func take() -> Time {
        let time = lazy_work_take()
        return Time(cpu: .nanoseconds(time.cpu), wall: .nanoseconds(time.wall))
    }
}
