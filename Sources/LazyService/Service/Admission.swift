internal import LazyBase

/// Lets some requests make results at once and others wait in turn; the rest is refused at once.
final class Admission: Sendable {
    private struct State {
        var running = 0
        var next = 0
        var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var refused = 0
    }

    private let most: (running: Int, queued: Int)
    private let state = Locked(State())

    init(running: Int, queued: Int) { most = (max(1, running), max(0, queued)) }

    /// How many run and wait, and how many were refused.
    var counts: (running: Int, queued: Int, refused: Int) {
        state.withLock { ($0.running, $0.waiters.count, $0.refused) }
    }

    /// Waits for a place; throws 503 where too many wait, and 499 if the waiting task is cancelled.
    func enter() async throws(ServiceError) {
        let id = try state.withLock { (state) throws(ServiceError) -> Int? in
            if state.running < most.running {
                state.running += 1
                return nil
            }
            guard state.waiters.count < most.queued else {
                state.refused += 1
                throw Self.busy
            }
            state.next += 1
            return state.next
        }
        guard let id else { return }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enum Step { case enter, wait, stop }
                let step: Step = state.withLock { state in
                    if Task.isCancelled { return .stop }
                    if state.running < most.running {
                        state.running += 1
                        return .enter
                    }
                    state.waiters.append((id, continuation))
                    return .wait
                }
                switch step {
                case .enter: continuation.resume(returning: true)
                case .stop: continuation.resume(returning: false)
                case .wait: break
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
        guard isIn else { throw ServiceError(499, "The client has hung up.") }
    }

    /// Gives a place to the next one.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst().continuation }
            state.running -= 1
            return nil
        }
        next?.resume(returning: true)
    }

    private static let busy: ServiceError = {
        var error = ServiceError(503, "Too many results are being made.")
        error.retryAfter = 1
        return error
    }()
}
