internal import LazyBase

// Events from the pipeline to the listeners: in order, and none after the end.
extension ImageTask {
    func didJoin() { state.withLock { $0.isCoalesced = true } }

    func didProgress(_ progress: Progress) {
        send(.progress(progress)) { $0.progress = progress }
    }

    func didPreview(_ preview: LoadedImage) {
        let response = preview.response(to: request)
        send(.preview(response)) { $0.lastPreview = response }
    }

    /// Ends the task; returns false if it had ended.
    @discardableResult
    func end(
        _ result: Result<ImageResponse, PipelineError>, _ record: WorkRecord = WorkRecord()
    ) -> Bool {
        let total = owner.clock.now - startedAt
        let isEnd = state.withLock { state in
            guard state.result == nil else { return false }
            let summary = TaskSummary(
                taskID: id, imageID: request.imageID, total: total, record: record,
                isCoalesced: state.isCoalesced, outcome: result.outcomeName)
            state.result = result
            state.summary = summary
            state.lastPreview = nil
            state.delivery.close(
                with: .end(.finished(result), summary), dropping: result.dropsPendingEvents)
            return true
        }
        guard isEnd else { return false }
        owner.willEnd(with: result)
        deliver()
        return true
    }

    private func send(_ event: Event, _ change: (inout State) -> Void) {
        let hasListeners = state.withLock { state in
            guard state.result == nil else { return false }
            change(&state)
            // Most tasks are only awaited. A later listener gets what has changed.
            if state.listeners.isEmpty, state.handlers.isEmpty, !owner.observesEvents {
                return false
            }
            state.delivery.add(.event(event))
            return true
        }
        if hasListeners { deliver() }
    }

    private func deliver() {
        while let (notice, listeners, handlers) = state.withLock({ Self.next(&$0) }) {
            switch notice {
            case .event(let event):
                event.push(to: listeners, handlers)
                owner.didHappen(event, to: self)
            case .end(let event, let summary):
                event.push(to: listeners, handlers)
                owner.didEnd(self, event, summary)
                guard case .finished(let result) = event else { break }
                let waiters = state.withLock { $0.waiters.deliver(result) }
                for waiter in waiters { waiter.resume(returning: result) }
            }
            state.withLock { $0.delivery.didDeliver() }
        }
    }

    private static func next(_ state: inout State) -> (Notice, [Listener], [Handler])? {
        guard let notice = state.delivery.next() else { return nil }
        let (listeners, handlers) = (state.listeners, state.handlers)
        if case .end = notice {
            state.listeners = []
            state.handlers = []
        }
        return (notice, listeners, handlers)
    }
}

extension ImageTask.Event {
    fileprivate func push(to listeners: [ImageTask.Listener], _ handlers: [ImageTask.Handler]) {
        for listener in listeners { listener.buffer?.push(self) }
        for handler in handlers { handler(self) }
    }
}

extension Result where Failure == PipelineError {
    /// Whether pending events are dropped.
    fileprivate var dropsPendingEvents: Bool {
        switch self {
        case .failure(.cancelled), .failure(.pipelineInvalidated): true
        default: false
        }
    }

    fileprivate var outcomeName: String {
        switch self {
        case .success: "success"
        case .failure(let error): error.name
        }
    }
}
