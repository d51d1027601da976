internal import LazyBytes

/// The events of a task that one stream has not taken yet.
///
/// Consecutive progress is kept as its newest only, so that it is bounded by the previews.
final class EventBuffer: Sendable {
    private struct State {
        var events: [ImageTask.Event]
        var isOver = false
        var waiter: UnsafeContinuation<Void, Never>?
    }
    private let state: Locked<State>

    init(_ first: [ImageTask.Event]) { state = Locked(State(events: first)) }

    func push(_ event: ImageTask.Event) {
        let waiter = state.withLock { state in
            guard !state.isOver else { return UnsafeContinuation<Void, Never>?.none }
            if case .progress = event, case .progress = state.events.last {
                state.events.removeLast()
            }
            state.events.append(event)
            if case .finished = event { state.isOver = true }
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// The next event; nil behind the last one, or when the waiting task is cancelled.
    func next() async -> ImageTask.Event? {
        while true {
            let (event, isEnd) = state.withLock { state -> (ImageTask.Event?, Bool) in
                if !state.events.isEmpty { return (state.events.removeFirst(), false) }
                return (nil, state.isOver)
            }
            if let event { return event }
            if isEnd || Task.isCancelled { return nil }
            await waitForPush()
        }
    }

    private func waitForPush() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isReady = state.withLock { state in
                    if Task.isCancelled || !state.events.isEmpty || state.isOver { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume()
        }
    }
}
