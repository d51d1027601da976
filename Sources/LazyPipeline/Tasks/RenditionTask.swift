internal import LazyBase
public import LazyRenditions

/// A rendition of what a request names: what is known of it, and its bytes once it is made.
///
/// Nothing is begun before `head` or `response` is asked for. Equal tasks share one download and one making. Ends
/// exactly once; releasing it does not cancel it.
///
/// ```swift
/// let task = pipeline.renditionTask(for: request, as: .poster(.auto, as: .webp))
/// if try await task.head.tag?.isNamed(inIfNoneMatch: field) == true { return task.cancel() }
/// for try await piece in try await task.response.pieces { socket.write(piece) }
/// ```
public final class RenditionTask: Sendable, Identifiable {
    /// How far the work of a task is.
    public enum Progress: Hashable, Sendable {
        /// Bytes of the source are loaded.
        case loading(ImageTask.Progress)
        /// Bytes of the result are written, so many until now.
        case rendering(byteCount: Int)
    }

    private struct State {
        var priority: Priority
        var isHeadAsked = false
        var isResponseAsked = false
        var hasJoined = false
        /// What has told the head; the work continues its load.
        var source: (any HeldSource)?
        var result: Result<Response, PipelineError>?
        var heads = ResultWaiters<Head>()
        var responses = ResultWaiters<Response>()
        var progress: Progress?
        var watchers: [AsyncStream<Progress>.Continuation] = []
    }

    /// The number of the task, unique in this process.
    public let id: Int
    /// What the rendition is made of.
    public let request: ImageRequest
    /// What is made.
    public let rendition: Rendition
    /// The part that is wanted.
    public let part: Rendition.Part
    /// The number of the task while it waits for its head.
    let headID: Int
    let startedAt: Duration
    /// What another task has learned of the source.
    let held: (any HeldSource)?
    private let owner: any TaskOwner
    private let state: Locked<State>

    init(
        ids: (Int, head: Int), _ request: ImageRequest, _ rendition: Rendition,
        _ part: Rendition.Part, held: (any HeldSource)? = nil, owner: any TaskOwner
    ) {
        (id, headID) = ids
        self.held = held
        self.request = request
        self.rendition = rendition
        self.part = part
        self.owner = owner
        startedAt = owner.clock.now
        state = Locked(State(priority: request.priority))
    }

    /// The priority; may be set at any time.
    public var priority: Priority {
        get { state.withLock { $0.priority } }
        set {
            state.withLock { $0.priority = newValue }
            for id in [id, headID] { owner.setPriority(newValue, of: id) }
        }
    }

    /// The result, once the task has ended.
    public var result: Result<Response, PipelineError>? { state.withLock { $0.result } }

    /// Whether the task was cancelled.
    public var isCancelled: Bool {
        if case .failure(.cancelled) = result { true } else { false }
    }

    /// Ends the task with `.cancelled` unless it has ended.
    ///
    /// The work is cancelled with its last task. With a duration it continues for so long without one, for those who are
    /// likely to ask again; what is made is stored.
    public func cancel(keeping duration: Duration = .zero) {
        if duration > .zero { owner.keep(self, for: duration) }
        for id in [id, headID] { owner.leave(id) }
        fail(.cancelled)
    }

    /// What is known before it is made; cancelling the waiting Swift task cancels this task.
    ///
    /// Costs no decoding and no download: nothing for a source that is stored and fresh, one conditional request for one
    /// that is stale, the beginning of a load else, that `response` continues.
    public var head: Head {
        get async throws(PipelineError) {
            let isFirst = state.withLock { state in
                defer { state.isHeadAsked = true }
                // What is being made tells its head.
                return !state.isHeadAsked && !state.isResponseAsked && state.result == nil
            }
            if isFirst { owner.findHead(of: self) }
            return try await wait { $0.heads.add($1) }
        }
    }

    /// What was made; cancelling the waiting Swift task cancels this task.
    public var response: Response {
        get async throws(PipelineError) {
            begin()
            return try await wait { $0.responses.add($1) }
        }
    }

    /// Begins the work, for those who wait for its response later.
    public func begin() {
        let (isFirst, source) = state.withLock { state in
            defer { (state.isResponseAsked, state.source) = (true, nil) }
            return (!state.isResponseAsked && state.result == nil, state.source)
        }
        if isFirst { owner.make(self, of: source ?? held) }
    }

    /// What its head has learned of its source, until its response is asked for.
    package var heldSource: (any HeldSource)? { state.withLock { $0.source } ?? held }

    /// Whether its work was in progress for another task.
    package var hasJoined: Bool { state.withLock { $0.hasJoined } }

    /// Whether it waits for what is made.
    var isMaking: Bool { state.withLock { $0.isResponseAsked && $0.result == nil } }

    /// The progress from now on, of which a slow reader gets the newest.
    public var progress: AsyncStream<Progress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { watcher in
            let (first, isOver) = state.withLock { state in
                if state.result == nil { state.watchers.append(watcher) }
                return (state.progress, state.result != nil)
            }
            if let first { watcher.yield(first) }
            if isOver { watcher.finish() }
        }
    }

    private func wait<Value>(
        _ add:
            @escaping @Sendable (inout State, ResultWaiters<Value>.Waiter) -> Result<
                Value, PipelineError
            >?
    ) async throws(PipelineError) -> Value {
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: ResultWaiters<Value>.Waiter) in
                let ready = state.withLock { state in add(&state, waiter) }
                if let ready { waiter.resume(returning: ready) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }
}

/// What a load has told of a source, which a task holds until the load continues.
///
/// Handed to other tasks for the same source, it makes all of them work on the bytes of one load.
package protocol HeldSource: AnyObject, Sendable {}

// Events from the pipeline.
extension RenditionTask {
    func didJoin() { state.withLock { $0.hasJoined = true } }
    func didProgress(_ progress: ImageTask.Progress) { tell(.loading(progress)) }
    func didWrite(_ count: Int) { tell(.rendering(byteCount: count)) }

    private func tell(_ progress: Progress) {
        let watchers = state.withLock { state in
            state.progress = progress
            return state.watchers
        }
        for watcher in watchers { watcher.yield(progress) }
    }

    /// The head is known; the task holds what has told it until it is made of that.
    func didLearn(_ head: Head, from source: (any HeldSource)?) {
        let waiters = state.withLock { state -> [ResultWaiters<Head>.Waiter] in
            guard state.heads.delivered == nil, state.result == nil else { return [] }
            if !state.isResponseAsked { state.source = source }
            return state.heads.deliver(.success(head))
        }
        for waiter in waiters { waiter.resume(returning: .success(head)) }
    }

    func end(_ result: Result<Response, PipelineError>) {
        let before = state.withLock { state -> State? in
            guard state.result == nil else { return nil }
            let before = state
            state.result = result
            (state.source, state.watchers) = (nil, [])
            return before
        }
        guard let before else { return }
        let head = result.map(\.head)
        let (heads, responses) = state.withLock { state in
            (
                state.heads.delivered == nil ? state.heads.deliver(head) : [],
                state.responses.deliver(result)
            )
        }
        for waiter in heads { waiter.resume(returning: head) }
        for waiter in responses { waiter.resume(returning: result) }
        for watcher in before.watchers { watcher.finish() }
        // A head may still be looked for.
        owner.leave(headID)
    }

    func fail(_ error: PipelineError) { end(.failure(error)) }
}

extension RenditionTask: CustomStringConvertible {
    /// One line, such as `RenditionTask(7, https://example.com/a.mp4, poster, high)`.
    public var description: String {
        let state =
            switch result {
            case .success(let response): "\(response.body.count) bytes"
            case .failure(let error): error.name
            case nil: "\(priority)"
            }
        return "RenditionTask(\(id), \(request.label), \(rendition.identifier), \(state))"
    }
}
