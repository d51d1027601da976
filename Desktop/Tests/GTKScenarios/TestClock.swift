internal import CGTK
internal import LazyBase
internal import LazyKit
import Synchronization

/// A clock that stands still until a scenario moves it.
final class TestClock: SteadyClock {
    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Bool, Never>
    }
    private struct State {
        var now = Duration.zero
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
    }
    private let state = Mutex(State())

    var now: Duration { state.withLock { $0.now } }

    /// The tasks that wait for a time.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func move(to time: Duration) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now = time
            let due = state.sleepers.filter { $0.value.deadline <= time }
            for id in due.keys { state.sleepers[id] = nil }
            return Array(due.values)
        }
        for sleeper in woken { sleeper.continuation.resume(returning: true) }
    }

    func sleep(until time: Duration) async throws(CancellationError) {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let isDone = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.cancelled.remove(id) != nil { return false }
                    if state.now >= time { return true }
                    state.sleepers[id] = Sleeper(deadline: time, continuation: continuation)
                    return nil
                }
                if let answer { return continuation.resume(returning: answer) }
                // This is another thread: what waits for sleepers looks again.
                g_main_context_wakeup(nil)
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
                state.cancelled.insert(id)
                return nil
            }
            sleeper?.continuation.resume(returning: false)
        }
        if !isDone { throw CancellationError() }
    }
}
