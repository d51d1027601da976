public import LazyMedia

/// One load of one request: awaited, watched, moved up and down, cancelled.
///
/// Ends exactly once. Dropping it does not cancel it.
public final class ImageTask: Sendable, Identifiable {
    /// How much has arrived.
    public struct Progress: Hashable, Sendable {
        /// Bytes that have arrived.
        public let completed: Int64
        /// Bytes in all, or 0 while it is not known.
        public let total: Int64

        /// Makes a progress.
        public init(completed: Int64 = 0, total: Int64 = 0) {
            self.completed = completed
            self.total = total
        }

        /// The share from 0 to 1; 0 while the total is not known.
        public var fraction: Double {
            total > 0 ? min(1, Double(completed) / Double(total)) : 0
        }
    }

    /// What happens to a task.
    public enum Event: Sendable {
        /// Bytes have arrived.
        case progress(Progress)
        /// A preview was made.
        case preview(ImageResponse)
        /// It has ended; the last event.
        case finished(Result<ImageResponse, PipelineError>)
    }

    struct State {
        var priority: Priority
        var progress = Progress()
        var result: Result<ImageResponse, PipelineError>?
        var lastPreview: ImageResponse?
        var listeners: [AsyncStream<Event>.Continuation] = []
        var work: Task<Void, Never>?
    }

    /// The number of the task in its pipeline, from 1.
    public let id: Int
    /// What was asked for.
    public let request: ImageRequest
    private let state: Locked<State>

    init(id: Int, request: ImageRequest) {
        self.id = id
        self.request = request
        state = Locked(State(priority: request.priority))
    }

    /// How urgent the task is; may be set at any time.
    public var priority: Priority {
        get { state.withLock { $0.priority } }
        set { state.withLock { $0.priority = newValue } }
    }

    /// How much has arrived so far.
    public var currentProgress: Progress { state.withLock { $0.progress } }

    /// The outcome, once there is one.
    public var result: Result<ImageResponse, PipelineError>? { state.withLock { $0.result } }

    /// Ends the task with `.cancelled`, unless it has ended.
    public func cancel() {
        state.withLock { $0.work }?.cancel()
        send(.finished(.failure(.cancelled)))
    }

    /// Everything that happens from now on; each use is a stream of its own.
    ///
    /// A stream begins with the progress and the preview so far, and ends with `.finished`, also for a task
    /// that has ended.
    public var events: AsyncStream<Event> {
        AsyncStream { continuation in
            let result = state.withLock { state -> Result<ImageResponse, PipelineError>? in
                if state.progress.completed > 0 { continuation.yield(.progress(state.progress)) }
                if let preview = state.lastPreview { continuation.yield(.preview(preview)) }
                if state.result == nil { state.listeners.append(continuation) }
                return state.result
            }
            guard let result else { return }
            continuation.yield(.finished(result))
            continuation.finish()
        }
    }

    /// The progress from now on, until the end.
    public var progress: AsyncStream<Progress> {
        events.compactMapStream { if case .progress(let progress) = $0 { progress } else { nil } }
    }

    /// The previews from now on, until the end.
    public var previews: AsyncStream<ImageResponse> {
        events.compactMapStream { if case .preview(let preview) = $0 { preview } else { nil } }
    }

    /// The answer; cancelling the task that waits cancels this one.
    public var response: ImageResponse {
        get async throws(PipelineError) {
            let events = self.events
            let result = await withTaskCancellationHandler {
                () -> Result<ImageResponse, PipelineError> in
                for await event in events {
                    if case .finished(let result) = event { return result }
                }
                return .failure(.cancelled)
            } onCancel: {
                cancel()
            }
            return try result.get()
        }
    }

    /// The poster of the answer.
    public var image: Bitmap {
        get async throws(PipelineError) { try await response.image }
    }

    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        state.withLock { $0.work = task }
    }

    func send(_ event: Event) {
        let listeners = state.withLock { state -> [AsyncStream<Event>.Continuation] in
            guard state.result == nil else { return [] }
            switch event {
            case .progress(let progress): state.progress = progress
            case .preview(let preview): state.lastPreview = preview
            case .finished(let result): state.result = result
            }
            defer { if state.result != nil { state.listeners = [] } }
            return state.listeners
        }
        for listener in listeners {
            listener.yield(event)
            if case .finished = event { listener.finish() }
        }
    }
}

extension AsyncStream where Element: Sendable {
    func compactMapStream<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) -> Result?
    ) -> AsyncStream<Result> {
        AsyncStream<Result> { continuation in
            let task = Task {
                for await element in self {
                    if let result = transform(element) { continuation.yield(result) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
