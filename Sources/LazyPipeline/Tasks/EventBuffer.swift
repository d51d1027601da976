internal import LazyBase

/// The events of a task that one stream has not read yet.
///
/// Keeps only the newest unread progress and preview, which bounds its size.
final class EventBuffer: Sendable {
    private struct State {
        var events: [ImageTask.Event]
        var isOver = false
        var lastWaiter = 0
        var waiters: [Int: UnsafeContinuation<Void, Never>] = [:]
    }
    private let state: Locked<State>

    init(_ first: [ImageTask.Event]) { state = Locked(State(events: first)) }

    func push(_ event: ImageTask.Event) {
        let waiters = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
            guard !state.isOver else { return [] }
            state.events.removeAll { event.replaces($0) }
            state.events.append(event)
            if case .finished = event { state.isOver = true }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The next event; nil after the last one, or when the waiting task is cancelled.
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
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isReady = state.withLock { state in
                    if Task.isCancelled || !state.events.isEmpty || state.isOver { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}

extension ImageTask.Event {
    /// Whether this event makes an older one obsolete.
    fileprivate func replaces(_ older: ImageTask.Event) -> Bool {
        switch (self, older) {
        case (.progress, .progress), (.preview, .preview): true
        default: false
        }
    }
}
