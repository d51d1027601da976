public import FoundationEssentials
public import LazyBase
public import LazyLoading

/// A load of encoded bytes; ends exactly once.
///
/// Releasing it does not cancel it.
public final class DataTask: Sendable, Identifiable {
    /// The bytes of a load, and how they were obtained.
    public struct Response: Sendable {
        /// The bytes.
        public var data: Blob
        /// The head of the response, or nil for bytes from the data cache or a closure.
        public var head: ResponseHead?
        /// The cache that answered, or nil for the source.
        public var cacheType: CacheType?
        /// The URL that answered in place of the request's own, or nil.
        public var substitute: URL?
    }

    enum Event: Sendable {
        case progress(ImageTask.Progress)
        case finished(Result<Response, PipelineError>)
    }

    private struct State {
        var priority: Priority
        var progress = ImageTask.Progress()
        var result: Result<Response, PipelineError>?
        var waiters = ResultWaiters<Response>()
        var delivery = Delivery<Event>()
    }

    /// The number of the task, unique in this process.
    public let id: Int
    /// The request.
    public let request: ImageRequest
    let startedAt: Duration
    private let owner: any TaskOwner
    private let handler: (@Sendable (Event) -> Void)?
    private let state: Locked<State>

    init(
        id: Int, request: ImageRequest, owner: any TaskOwner, startedAt: Duration,
        handler: (@Sendable (Event) -> Void)?
    ) {
        self.id = id
        self.request = request
        self.owner = owner
        self.startedAt = startedAt
        self.handler = handler
        state = Locked(State(priority: request.priority))
    }

    /// The priority; may be set at any time.
    public var priority: Priority {
        get { state.withLock { $0.priority } }
        set {
            state.withLock { $0.priority = newValue }
            owner.setPriority(newValue, of: id)
            // Of two concurrent changes, the pipeline may have seen the last one first.
            let last = priority
            if last != newValue { owner.setPriority(last, of: id) }
        }
    }

    /// The progress so far.
    public var currentProgress: ImageTask.Progress { state.withLock { $0.progress } }

    /// The result, once the task has ended.
    public var result: Result<Response, PipelineError>? { state.withLock { $0.result } }

    /// Ends the task with `.cancelled` unless it has ended.
    public func cancel() {
        owner.leave(id)
        end(.failure(.cancelled))
    }

    /// The response; cancelling the waiting Swift task cancels this task.
    ///
    /// Returns after the closures of the task were called with it.
    nonisolated(nonsending) public var response: Response {
        get async throws(PipelineError) {
            let result = await withTaskCancellationHandler {
                await withUnsafeContinuation { waiter in
                    let ready = state.withLock { $0.waiters.add(waiter) }
                    if let ready { waiter.resume(returning: ready) }
                }
            } onCancel: {
                cancel()
            }
            return try result.get()
        }
    }

    func didProgress(_ progress: ImageTask.Progress) {
        let isLive = state.withLock { state in
            guard state.result == nil else { return false }
            state.progress = progress
            state.delivery.add(.progress(progress))
            return true
        }
        if isLive { deliver() }
    }

    func end(_ result: Result<Response, PipelineError>) {
        let isEnd = state.withLock { state in
            guard state.result == nil else { return false }
            state.result = result
            let dropsPending = if case .failure = result { true } else { false }
            state.delivery.close(with: .finished(result), dropping: dropsPending)
            return true
        }
        if isEnd { deliver() }
    }

    private func deliver() {
        while let event = state.withLock({ $0.delivery.next() }) {
            handler?(event)
            if case .finished(let result) = event {
                let waiters = state.withLock { $0.waiters.deliver(result) }
                for waiter in waiters { waiter.resume(returning: result) }
            }
            state.withLock { $0.delivery.didDeliver() }
        }
    }
}

extension DataTask: CustomStringConvertible {
    /// One line, such as `DataTask(7, https://example.com/a.jpg, high, 40 %)`.
    public var description: String {
        let state =
            switch result {
            case .success(let response): "\(response.data.count) bytes"
            case .failure(let error): error.name
            case nil: "\(priority), \(Int(currentProgress.fraction * 100)) %"
            }
        return "DataTask(\(id), \(request.label), \(state))"
    }

    /// Whether the task was cancelled.
    public var isCancelled: Bool {
        if case .failure(.cancelled) = result { true } else { false }
    }
}
