import LazyBase

/// Blocks tasks until it is opened or they are cancelled.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var cancellations = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [(isDone: @Sendable (State) -> Bool, CheckedContinuation<Void, Never>)] = []
    }
    private let state = Locked(State())

    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { state in
                    state.arrivals += 1
                    if state.isOpen || state.cancellations > 0 { return [continuation] }
                    state.waiting.append(continuation)
                    return []
                }
            }
        } onCancel: {
            change { state in
                state.cancellations += 1
                defer { state.waiting = [] }
                return state.waiting
            }
        }
    }

    func open() {
        change { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    func waitForArrival() async { await watch { $0.arrivals > 0 } }
    func waitForCancellation() async { await watch { $0.cancellations > 0 } }

    private func watch(_ isDone: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { state in
                state.watchers.append((isDone, continuation))
                return []
            }
        }
    }

    private func change(_ change: (inout State) -> [CheckedContinuation<Void, Never>]) {
        let ready = state.withLock { state in
            var ready = change(&state)
            let seen = state
            ready += state.watchers.filter { $0.isDone(seen) }.map(\.1)
            state.watchers.removeAll { $0.isDone(seen) }
            return ready
        }
        for continuation in ready { continuation.resume() }
    }
}
