internal import LazyBase
public import LazyMedia

/// A load of an image request: to be awaited, observed, prioritized or cancelled.
///
/// Ends exactly once. Releasing it does not cancel it.
public final class ImageTask: Sendable, Identifiable {
    /// The progress of a download.
    public struct Progress: Hashable, Sendable {
        /// The bytes received.
        public let completed: Int64
        /// The total bytes, or 0 while unknown.
        public let total: Int64

        /// Creates a progress.
        public init(completed: Int64 = 0, total: Int64 = 0) {
            self.completed = completed
            self.total = total
        }

        /// The completed fraction from 0 to 1; 0 while the total is unknown.
        public var fraction: Double {
            total > 0 ? min(1, Double(completed) / Double(total)) : 0
        }
    }

    /// An event of a task.
    public enum Event: Sendable {
        /// Bytes were received.
        case progress(Progress)
        /// A preview was decoded.
        case preview(ImageResponse)
        /// The task has ended; the last event.
        case finished(Result<ImageResponse, PipelineError>)
    }

    /// The state of a task at one instant.
    public struct Status: Sendable {
        /// The result, once the task has ended.
        public var result: Result<ImageResponse, PipelineError>?
        /// The priority.
        public var priority: Priority
        /// The progress of a download.
        public var progress: Progress
        /// Whether the task was cancelled.
        public var isCancelled: Bool {
            if case .failure(.cancelled) = result { true } else { false }
        }
    }

    typealias Handler = @Sendable (Event) -> Void

    /// What is to be delivered to the listeners.
    enum Notice {
        case event(Event)
        case end(Event, TaskSummary)
    }

    struct Listener { weak var buffer: EventBuffer? }

    struct State {
        var priority: Priority
        var progress = Progress()
        var result: Result<ImageResponse, PipelineError>?
        var summary: TaskSummary?
        var lastPreview: ImageResponse?
        var listeners: [Listener] = []
        var waiters = ResultWaiters<ImageResponse>()
        var handlers: [Handler] = []
        var delivery = Delivery<Notice>()
        var isCoalesced = false
    }

    /// The number of the task, unique in this process.
    public let id: Int
    /// The request.
    public let request: ImageRequest
    let startedAt: Duration
    let owner: any TaskOwner
    let state: Locked<State>

    init(
        id: Int, request: ImageRequest, owner: any TaskOwner, startedAt: Duration,
        handler: Handler? = nil
    ) {
        self.id = id
        self.request = request
        self.owner = owner
        self.startedAt = startedAt
        var state = State(priority: request.priority)
        if let handler { state.handlers = [handler] }
        self.state = Locked(state)
    }

    /// The priority; may be set at any time.
    public var priority: Priority {
        get { state.withLock { $0.priority } }
        set {
            let isNew = state.withLock { state in
                defer { state.priority = newValue }
                return state.priority != newValue && state.result == nil
            }
            guard isNew else { return }
            owner.setPriority(newValue, of: id)
            // Of two concurrent changes, the pipeline may have seen the last one first.
            let last = priority
            if last != newValue { owner.setPriority(last, of: id) }
        }
    }

    /// The progress so far.
    public var currentProgress: Progress { state.withLock { $0.progress } }

    /// The result, once the task has ended.
    public var result: Result<ImageResponse, PipelineError>? { state.withLock { $0.result } }

    /// The time and bytes it took, once it has ended.
    public var summary: TaskSummary? { state.withLock { $0.summary } }

    /// The current state.
    public var status: Status {
        state.withLock {
            Status(result: $0.result, priority: $0.priority, progress: $0.progress)
        }
    }

    /// Ends the task with `.cancelled` unless it has ended.
    ///
    /// Pending events are dropped; listeners receive `.finished` as the last event.
    public func cancel() {
        owner.leave(id)
        end(.failure(.cancelled))
    }

    /// The events from now on; each call returns a new stream.
    ///
    /// A stream starts with the progress and preview so far, and ends with `.finished`, even for a task
    /// that has ended. Progress that is not read in time is replaced by newer progress.
    public var events: AsyncStream<Event> { stream { $0 } }

    /// The progress from now on.
    public var progress: AsyncStream<Progress> {
        stream { if case .progress(let progress) = $0 { progress } else { nil } }
    }

    /// The previews from now on.
    public var previews: AsyncStream<ImageResponse> {
        stream { if case .preview(let preview) = $0 { preview } else { nil } }
    }

    /// The response; cancelling the waiting Swift task cancels this task.
    ///
    /// Returns after the closures of the task were called with it, and without a change of threads if the
    /// task has ended.
    nonisolated(nonsending) public var response: ImageResponse {
        get async throws(PipelineError) {
            if let result = state.withLock({ $0.waiters.delivered }) { return try result.get() }
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

    /// The frames of the response, decoded on demand.
    nonisolated(nonsending) public var frames: FrameSequence {
        get async throws(PipelineError) { try await response.frames }
    }

    /// The poster of the response.
    nonisolated(nonsending) public var image: Bitmap {
        get async throws(PipelineError) { try await response.image }
    }

    private func stream<Element>(
        _ element: @escaping @Sendable (Event) -> Element?
    ) -> AsyncStream<Element> {
        let buffer = makeBuffer()
        return AsyncStream {
            while let event = await buffer.next() {
                if let element = element(event) { return element }
            }
            return nil
        }
    }

    private func makeBuffer() -> EventBuffer {
        state.withLock { state in
            var first: [Event] = []
            if state.progress.completed > 0 { first.append(.progress(state.progress)) }
            if let preview = state.lastPreview, state.result == nil {
                first.append(.preview(preview))
            }
            let buffer = EventBuffer(first)
            if let result = state.result {
                buffer.push(.finished(result))
            } else {
                state.listeners.removeAll { $0.buffer == nil }
                state.listeners.append(Listener(buffer: buffer))
            }
            return buffer
        }
    }
}

extension ImageTask: CustomStringConvertible {
    /// One line, such as `ImageTask(7, https://example.com/a.jpg, high, 40 %)`.
    public var description: String {
        let status = status
        let state =
            switch status.result {
            case .success: "finished"
            case .failure(let error): error.name
            case nil: "\(status.priority), \(Int(status.progress.fraction * 100)) %"
            }
        return "ImageTask(\(id), \(request.label), \(state))"
    }

    /// Whether the task was cancelled.
    public var isCancelled: Bool { status.isCancelled }
}

extension ImageTask: Hashable {
    /// Whether both are the same task.
    public static func == (left: ImageTask, right: ImageTask) -> Bool { left === right }

    /// Hashes the identity of the task.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
