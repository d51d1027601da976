internal import FoundationEssentials

/// A time of the calendar clock, in milliseconds; used by caches and HTTP.
public struct WallTime: Hashable, Comparable, Sendable {
    /// Milliseconds since the beginning of 1970, UTC.
    public let milliseconds: Int64

    /// Makes a time from milliseconds since the beginning of 1970, UTC.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Makes a time from seconds since the beginning of 1970, UTC.
    public init(seconds: Int64) { milliseconds = Duration.seconds(seconds).milliseconds }

    /// The current time of the system's clock.
    public static var now: WallTime {
        let seconds = Date.now.timeIntervalSince1970
        return WallTime(milliseconds: Int64((seconds * 1000).rounded(.down)))
    }

    /// Seconds since the beginning of 1970, rounded down.
    public var seconds: Int64 {
        milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    }

    /// Orders two times.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The time after a duration.
    public static func + (time: WallTime, length: Duration) -> WallTime {
        let (sum, isTooFar) = time.milliseconds.addingReportingOverflow(length.milliseconds)
        return WallTime(milliseconds: isTooFar ? (length < .zero ? .min : .max) : sum)
    }

    /// The duration between two times.
    public static func - (end: WallTime, start: WallTime) -> Duration {
        Duration.milliseconds(end.milliseconds).adding(.zero - .milliseconds(start.milliseconds))
    }
}

/// The clocks that a component uses; tests pass their own.
public struct Clocks: Sendable {
    /// The calendar clock.
    public var wall: @Sendable () -> WallTime
    /// A monotonic clock, for waiting and measuring.
    public var steady: any SteadyClock

    /// Makes clocks.
    public init(wall: @escaping @Sendable () -> WallTime, steady: any SteadyClock) {
        self.wall = wall
        self.steady = steady
    }

    /// The clocks of the system.
    public static let system = Clocks(wall: { WallTime.now }, steady: SystemSteadyClock())
}

/// A monotonic clock with timers.
public protocol SteadyClock: Sendable {
    /// The time since a fixed point.
    var now: Duration { get }

    /// Waits until `now` has reached a time; throws `CancellationError` when the task is cancelled.
    func sleep(until time: Duration) async throws(CancellationError)
}

/// `ContinuousClock` as a steady clock.
public struct SystemSteadyClock: SteadyClock {
    private static let start = ContinuousClock.now

    /// Makes the clock.
    public init() {}

    /// The time since the clock was first used.
    public var now: Duration { ContinuousClock.now - Self.start }

    /// Waits until `now` has reached a time.
    public func sleep(until time: Duration) async throws(CancellationError) {
        do { try await Task.sleep(until: Self.start + time, clock: .continuous) } catch {
            throw CancellationError()
        }
    }
}
