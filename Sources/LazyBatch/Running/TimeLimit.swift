internal import LazyBase

/// Work with a limit on its time.
///
/// When the time is over it is cancelled. Work that ignores that, such as a read from a dead server, is
/// abandoned with its thread after `grace`, so that the others go on.
struct TimeLimit: Sendable {
    let time: Duration
    /// The time in which cancelled work must end.
    var grace: Duration = .seconds(2)
    var clock: any SteadyClock = SystemSteadyClock()

    /// Runs work on a pool; returns a failure when its time is over.
    func run<Value: Sendable>(
        on pool: BlockingPool,
        _ work: @escaping @Sendable () async -> Result<Value, BatchFailure>
    ) async -> Result<Value, BatchFailure> {
        let first = FirstResult<Result<Value, BatchFailure>>()
        let task = Task(executorPreference: pool) { first.deliver(await work()) }
        let timer = Task {
            let end = clock.now + time
            do {
                try await clock.sleep(until: end)
                task.cancel()
                first.setLate()
                try await clock.sleep(until: end + grace)
                first.deliver(.failure(failure))
            } catch {}
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            task.cancel()
        }
        if case .failure = result, first.wasLate, !Task.isCancelled { return .failure(failure) }
        return result
    }

    private var failure: BatchFailure {
        BatchFailure(.mayRecover, "timeout", "It took longer than \(time / .seconds(1)) s.")
    }
}

/// A result that several may deliver, of which the first counts.
private final class FirstResult<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiter: CheckedContinuation<Value, Never>?
        var isLate = false
    }
    private let state = Locked(State())

    func deliver(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: value)
    }

    func setLate() { state.withLock { $0.isLate = true } }

    var wasLate: Bool { state.withLock { $0.isLate } }

    /// The result; for one caller.
    var value: Value {
        get async {
            await withCheckedContinuation { waiter in
                let value = state.withLock { state -> Value? in
                    if state.value == nil { state.waiter = waiter }
                    return state.value
                }
                if let value { waiter.resume(returning: value) }
            }
        }
    }
}
