internal import LazyBytes
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

    /// How a task stands at one moment.
    public struct Status: Sendable {
        /// The outcome, once there is one.
        public var result: Result<ImageResponse, PipelineError>?
        /// How urgent it is.
        public var priority: Priority
        /// How much has arrived.
        public var progress: Progress
        /// Whether it ended because it was cancelled.
        public var isCancelled: Bool {
            if case .failure(.cancelled) = result { true } else { false }
        }
    }

    typealias Waiter = UnsafeContinuation<Result<ImageResponse, PipelineError>, Never>
    typealias Handler = @Sendable (Event) -> Void

    /// What is on its way to the listeners.
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
        var waiters: [Waiter] = []
        var handlers: [Handler] = []
        var delivery = Delivery<Notice>()
        var isCoalesced = false
    }

    /// The number of the task in its pipeline, from 1.
    public let id: Int
    /// What was asked for.
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

    /// How urgent the task is; may be set at any time.
    public var priority: Priority {
        get { state.withLock { $0.priority } }
        set {
            let isNew = state.withLock { state in
                defer { state.priority = newValue }
                return state.priority != newValue && state.result == nil
            }
            guard isNew else { return }
            owner.setPriority(newValue, of: id)
            // Of two who set it at one time the pipeline may have heard the last one first.
            let last = priority
            if last != newValue { owner.setPriority(last, of: id) }
        }
    }

    /// How much has arrived so far.
    public var currentProgress: Progress { state.withLock { $0.progress } }

    /// The outcome, once there is one.
    public var result: Result<ImageResponse, PipelineError>? { state.withLock { $0.result } }

    /// Where its time and bytes went, once it has ended.
    public var summary: TaskSummary? { state.withLock { $0.summary } }

    /// How it stands now.
    public var status: Status {
        state.withLock {
            Status(result: $0.result, priority: $0.priority, progress: $0.progress)
        }
    }

    /// Ends the task with `.cancelled`, unless it has ended.
    ///
    /// No event comes behind that: who listens gets `.finished`, and what had not come yet never does.
    public func cancel() {
        owner.leave(id)
        end(.failure(.cancelled))
    }

    /// Everything that happens from now on; each use is a stream of its own.
    ///
    /// A stream begins with the progress and the preview so far, and ends with `.finished`, also for a task
    /// that has ended. Progress that was not taken in time gives way to newer progress.
    public var events: AsyncStream<Event> {
        let buffer = makeBuffer()
        return AsyncStream { await buffer.next() }
    }

    /// The progress from now on, until the end.
    public var progress: AsyncStream<Progress> {
        let buffer = makeBuffer()
        return AsyncStream {
            while let event = await buffer.next() {
                if case .progress(let progress) = event { return progress }
            }
            return nil
        }
    }

    /// The previews from now on, until the end.
    public var previews: AsyncStream<ImageResponse> {
        let buffer = makeBuffer()
        return AsyncStream {
            while let event = await buffer.next() {
                if case .preview(let preview) = event { return preview }
            }
            return nil
        }
    }

    /// The answer; cancelling the task that waits cancels this one.
    public var response: ImageResponse {
        get async throws(PipelineError) {
            if let result { return try result.get() }
            let result = await withTaskCancellationHandler {
                await withUnsafeContinuation { wait($0) }
            } onCancel: {
                cancel()
            }
            return try result.get()
        }
    }

    /// The frames of the answer, to be pulled.
    public var frames: FrameSequence {
        get async throws(PipelineError) { try await response.frames }
    }

    /// The poster of the answer.
    public var image: Bitmap {
        get async throws(PipelineError) { try await response.image }
    }

    private func wait(_ waiter: Waiter) {
        let ready = state.withLock { state in
            if state.result == nil { state.waiters.append(waiter) }
            return state.result
        }
        if let ready { waiter.resume(returning: ready) }
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

extension ImageTask: Hashable {
    /// Whether two are the same task.
    public static func == (left: ImageTask, right: ImageTask) -> Bool { left === right }

    /// Feeds what tells tasks apart.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
