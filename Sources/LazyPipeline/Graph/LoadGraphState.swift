/// The state of a load graph, kept under its lock.
struct LoadGraphState {
    var graph: WorkGraph
    var tasks: [WorkGraph.TaskID: any SubscribedTask] = [:]
    var units: [WorkGraph.NodeID: any AnyWorkUnit] = [:]
    typealias Waiter = UnsafeContinuation<WorkQueue.Ticket?, Never>

    /// Work that waits for a slot in a stage: about to suspend, suspended, or answered before it was.
    enum Waiting {
        case expected
        case waiting(Waiter)
        case answered(WorkQueue.Ticket?)
    }
    var waiters: [WorkQueue.Ticket: Waiting] = [:]
    /// Downloads that wait before they start.
    var pauses: [WorkGraph.NodeID: DownloadPause] = [:]
    private(set) var isClosed = false

    init(_ graph: WorkGraph) { self.graph = graph }

    /// Answers a ticket that waits; returns what to resume.
    mutating func answer(_ ticket: WorkQueue.Ticket, _ answer: WorkQueue.Ticket?) -> Waiter? {
        switch waiters[ticket] {
        case .waiting(let waiter):
            waiters[ticket] = nil
            return waiter
        case .expected:
            waiters[ticket] = .answered(answer)
            return nil
        case .answered, nil: return nil
        }
    }

    /// Accepts no more tasks; returns the present ones.
    mutating func close() -> [any SubscribedTask] {
        isClosed = true
        return Array(tasks.values)
    }

    /// Subscribes to the node of a key; nil if the subscriber itself is gone.
    mutating func subscribe(
        _ subscriber: GraphSubscriber, to key: WorkKey?
    ) -> (node: WorkGraph.NodeID, isNew: Bool)? {
        switch subscriber {
        case .task(let task):
            if isClosed { return nil }
            tasks[task.id] = task
            return graph.join(task.id, task.priority, key)
        case .background(let id):
            return isClosed ? nil : graph.join(id, .veryLow, key)
        case .node(let node): return graph.depend(node, on: key)
        }
    }

    /// The tickets that need not wait because a request skips the queue of loads.
    mutating func skipQueue(
        _ request: ImageRequest, _ node: WorkGraph.NodeID
    ) -> [WorkGraph.Action] {
        guard request.options.contains(.skipDataLoadingQueue) else { return [] }
        return graph.skipQueue(.loading, for: node)
    }

    /// The work of a node and of all nodes that it depends on.
    func chain(from node: WorkGraph.NodeID) -> [any AnyWorkUnit] {
        graph.chain(from: node).compactMap { units[$0] }
    }

    // MARK: - Delayed downloads

    /// The earliest time at which a subscriber of a node wants its download to start.
    func earliestStart(of node: WorkGraph.NodeID) -> Duration? {
        graph.tasks(above: node).compactMap { tasks[$0]?.downloadStart }.min()
    }

    /// The pauses of a node and what it depends on that are too long for a subscriber.
    ///
    /// The caller ends them outside the lock; they start again if time is left.
    mutating func takePauses(
        below node: WorkGraph.NodeID, for subscriber: GraphSubscriber
    ) -> [DownloadPause] {
        guard !pauses.isEmpty, let start = start(wantedBy: subscriber) else { return [] }
        return graph.chain(from: node).compactMap { node in
            guard let pause = pauses[node], start < pause.end else { return nil }
            return pauses.removeValue(forKey: node)
        }
    }

    private func start(wantedBy subscriber: GraphSubscriber) -> Duration? {
        switch subscriber {
        case .task(let task): task.downloadStart
        case .background: nil
        case .node(let node): earliestStart(of: node)
        }
    }
}
