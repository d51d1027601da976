public import LazyBase

/// A clock that stands still until a test moves it.
public final class ManualClock: SteadyClock {
    private struct Sleeper {
        let id: Int
        let deadline: Duration
        let continuation: CheckedContinuation<Bool, Never>
    }
    private struct State {
        var now: Duration = .zero
        var wallStart = WallTime(seconds: 1_800_000_000)
        var lastID = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Locked(State())

    /// Makes a clock that stands at zero, in January 2027 by the calendar.
    public init() {}

    /// The time since the clock was made.
    public var now: Duration { state.withLock { $0.now } }

    /// The calendar time, which goes with `now`.
    public var wall: WallTime { state.withLock { $0.wallStart + $0.now } }

    /// This clock as both clocks.
    public var clocks: Clocks { Clocks(wall: { self.wall }, steady: self) }

    /// Advances the clock and wakes expired waiters.
    public func advance(by length: Duration) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now += length
            let now = state.now
            let woken = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            return woken.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume(returning: true) }
    }

    /// Waits until so many tasks sleep on the clock.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Waits until the clock was moved to a time.
    public func sleep(until time: Duration) async throws(CancellationError) {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let isDone = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (answer, ready) = state.withLock {
                    state -> (Bool?, [CheckedContinuation<Void, Never>]) in
                    if state.cancelled.remove(id) != nil { return (false, []) }
                    if state.now >= time { return (true, []) }
                    state.sleepers.append(
                        Sleeper(id: id, deadline: time, continuation: continuation))
                    let count = state.sleepers.count
                    let ready = state.watchers.filter { $0.count <= count }.map(\.continuation)
                    state.watchers.removeAll { $0.count <= count }
                    return (nil, ready)
                }
                if let answer { continuation.resume(returning: answer) }
                for watcher in ready { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: place)
            }
            sleeper?.continuation.resume(returning: false)
        }
        if !isDone { throw CancellationError() }
    }
}
