internal import LazyBase

/// The work of a node in progress: its request, its output, and its cancellation.
final class WorkUnit<Value: Sendable, Partial: Sendable>: AnyWorkUnit {
    let id: WorkGraph.NodeID
    let request: ImageRequest
    let output = WorkOutput<Value, Partial>()
    /// Cancels what blocks in a decoder.
    let flag = CancellationFlag()
    /// Makes previews from the first subscriber that wants them until `end` is called.
    let previews = PreviewSwitch()
    private let costs = Locked(WorkRecord())
    private let handle = Locked<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

    init(id: WorkGraph.NodeID, request: ImageRequest) {
        self.id = id
        self.request = request
    }

    /// The cost of the work so far, with that of the work it depends on.
    var record: WorkRecord { costs.withLock { $0 } }

    var progress: ImageTask.Progress? { (output.partial as? GrowingBody)?.progress }

    /// Adds to the cost of the work.
    func charge(_ change: (inout WorkRecord) -> Void) { costs.withLock { change(&$0) } }

    /// Starts the work when that of another unit has ended, on a pool.
    ///
    /// Until then there is no task that waits: a thousand queued loads have the memory of their requests.
    func start<V, P>(
        after other: WorkUnit<V, P>, on pool: BlockingPool,
        _ body: @escaping @Sendable () async -> Void
    ) {
        other.output.whenFinished { [self] in
            // Nobody waits for cancelled work.
            guard handle.withLock({ !$0.isCancelled }) else {
                previews.end()
                return output.finish(.cancelled)
            }
            start(on: pool, body)
        }
    }

    /// Starts the work; the graph owns it and cancels it when it has no subscriber left.
    func start(on pool: BlockingPool? = nil, _ body: @escaping @Sendable () async -> Void) {
        let task =
            if let pool { Task(executorPreference: pool) { await body() } } else {
                Task { await body() }
            }
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

/// The work of a node, whatever its output.
protocol AnyWorkUnit: AnyObject, Sendable {
    var request: ImageRequest { get }
    var previews: PreviewSwitch { get }
    /// The progress of the download, if this is one.
    var progress: ImageTask.Progress? { get }

    func cancel()
}
