internal import LazyBytes
internal import LazyLoading

/// A node's work while it is under way: what is wanted, what comes out, and how to end it.
final class WorkUnit<Value: Sendable, Partial: Sendable>: Sendable {
    let id: WorkGraph.NodeID
    let request: ImageRequest
    let output = WorkOutput<Value, Partial>()
    /// Ends what blocks in a decoder.
    let flag = CancellationFlag()
    private let handle = Locked<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

    // A download that somebody has begun for this.
    private let begun: Locked<LoadResponse?>

    init(id: WorkGraph.NodeID, request: ImageRequest, begun: LoadResponse? = nil) {
        self.id = id
        self.request = request
        self.begun = Locked(begun)
    }

    /// Hands over an answer that is there already.
    func begin(with response: LoadResponse) { begun.withLock { $0 = response } }

    /// Takes over the download that has begun, if there is one; once.
    func takeBegun() -> LoadResponse? {
        begun.withLock { begun in
            defer { begun = nil }
            return begun
        }
    }

    /// Makes previews for as long as somebody wants them, until `end` is called.
    let previews = PreviewSwitch()

    /// Begins the work; it is owned by the graph, which cancels it when nobody wants it.
    func start(_ body: @escaping @Sendable () async -> Void) {
        let task = Task { await body() }
        let isCancelled = handle.withLock { handle in
            handle.task = task
            return handle.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        flag.cancel()
        previews.end()
        let task = handle.withLock { handle in
            handle.isCancelled = true
            return handle.task
        }
        task?.cancel()
    }
}

typealias DataWork = WorkUnit<LoadedData, GrowingBody>
typealias ImageWork = WorkUnit<LoadedImage, ImageContainer>
