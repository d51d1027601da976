internal import CommandSupport
internal import LazyBytes
internal import LazyMedia

/// Work that may take so long and no longer.
///
/// It is cancelled first. What does not hear of that, such as a read from a server that is gone, is
/// left behind with its thread after a while, so that the others go on.
struct TimeLimit: Sendable {
    let time: Duration
    /// How long cancelled work has to end.
    var grace: Duration = .seconds(2)
    var clock: any SteadyClock = SystemSteadyClock()

    /// Runs work on a pool, and answers for it when its time is over.
    func run<Value: Sendable>(
        on pool: BlockingPool,
        _ work: @escaping @Sendable () async -> Result<Value, CommandFailure>
    ) async -> Result<Value, CommandFailure> {
        let answer = FirstAnswer<Result<Value, CommandFailure>>()
        let task = Task(executorPreference: pool) { answer.give(await work()) }
        let timer = Task {
            let end = clock.now + time
            do {
                try await clock.sleep(until: end)
                task.cancel()
                answer.isLate()
                try await clock.sleep(until: end + grace)
                answer.give(.failure(failure))
            } catch {}
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            task.cancel()
        }
        if case .failure = result, answer.wasLate, !Task.isCancelled { return .failure(failure) }
        return result
    }

    private var failure: CommandFailure {
        CommandFailure(.temporary, "timeout", "It took longer than \(time / .seconds(1)) s.")
    }
}

/// An answer that several may give, of which the first counts.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var asker: CheckedContinuation<Value, Never>?
        var isLate = false
    }
    private let state = Locked(State())

    func give(_ value: Value) {
        let asker = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.asker = nil }
            return state.asker
        }
        asker?.resume(returning: value)
    }

    func isLate() { state.withLock { $0.isLate = true } }

    var wasLate: Bool { state.withLock { $0.isLate } }

    /// For one asker.
    var value: Value {
        get async {
            await withCheckedContinuation { asker in
                let value = state.withLock { state -> Value? in
                    if state.value == nil { state.asker = asker }
                    return state.value
                }
                if let value { asker.resume(returning: value) }
            }
        }
    }
}
