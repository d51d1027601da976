internal import LazyBase

/// The result of a node's work, and its cost.
struct WorkResult<Value: Sendable>: Sendable {
    var result: Result<Value, PipelineError>
    var record: WorkRecord

    init(_ result: Result<Value, PipelineError>, _ record: WorkRecord = WorkRecord()) {
        self.result = result
        self.record = record
    }

    static var cancelled: WorkResult { WorkResult(.failure(.cancelled)) }
}

/// The output of a node: partial values, then one result.
///
/// A late subscriber gets the result too.
final class WorkOutput<Value: Sendable, Partial: Sendable>: Sendable {
    private struct State {
        var result: WorkResult<Value>?
        var partial: Partial?
        var lastID = 0
        var waiters: [Int: UnsafeContinuation<WorkResult<Value>, Never>] = [:]
        var cancelled: Set<Int> = []
        var watchers: [AsyncStream<Partial>.Continuation] = []
        var dependents: [@Sendable () -> Void] = []
    }
    private let state = Locked(State())

    /// The result, once there is one.
    var result: WorkResult<Value>? { state.withLock { $0.result } }

    /// The newest partial value.
    var partial: Partial? { state.withLock { $0.partial } }

    /// The result; `.cancelled` if the waiting task is cancelled.
    var value: WorkResult<Value> {
        get async {
            let id = state.withLock { state in
                state.lastID += 1
                return state.lastID
            }
            return await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    wait(id, continuation)
                }
            } onCancel: {
                giveUp(id)
            }
        }
    }

    /// Calls a closure when there is a result, which may be at once; not within the lock.
    func whenFinished(_ body: @escaping @Sendable () -> Void) {
        let isFinished = state.withLock { state in
            if state.result == nil { state.dependents.append(body) }
            return state.result != nil
        }
        if isFinished { body() }
    }

    /// Partial values from now on, only the newest of the unread ones; ends with the result.
    var partials: AsyncStream<Partial> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let (first, isOver) = state.withLock { state in
                if state.result == nil { state.watchers.append(continuation) }
                return (state.partial, state.result != nil)
            }
            if let first { continuation.yield(first) }
            if isOver { continuation.finish() }
        }
    }

    func publish(_ partial: Partial) {
        let watchers = state.withLock { state in
            state.partial = partial
            return state.watchers
        }
        for watcher in watchers { watcher.yield(partial) }
    }

    func finish(_ result: WorkResult<Value>) {
        let before = state.withLock { state -> State? in
            guard state.result == nil else { return nil }
            let before = state
            state = State(result: result)
            return before
        }
        guard let before else { return }
        for waiter in before.waiters.values { waiter.resume(returning: result) }
        for watcher in before.watchers { watcher.finish() }
        for dependent in before.dependents { dependent() }
    }

    private func wait(_ id: Int, _ waiter: UnsafeContinuation<WorkResult<Value>, Never>) {
        let ready = state.withLock { state -> WorkResult<Value>? in
            if let result = state.result { return result }
            if state.cancelled.remove(id) != nil { return .cancelled }
            state.waiters[id] = waiter
            return nil
        }
        if let ready { waiter.resume(returning: ready) }
    }

    private func giveUp(_ id: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter == nil { state.cancelled.insert(id) }
            return waiter
        }
        waiter?.resume(returning: .cancelled)
    }
}
