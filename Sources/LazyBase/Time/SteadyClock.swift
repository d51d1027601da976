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
