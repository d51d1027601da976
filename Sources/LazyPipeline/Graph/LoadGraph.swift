internal import LazyBase
internal import Synchronization

/// The graph of a pipeline's work behind a lock; acts on its decisions outside the lock.
final class LoadGraph: Sendable {
    /// The work that a subscriber has joined.
    struct Subscription<Value: Sendable, Partial: Sendable> {
        let unit: WorkUnit<Value, Partial>
        /// Whether the work starts now, and was not in progress.
        let isNew: Bool
        /// The progress of the download, if one is in progress.
        let progress: ImageTask.Progress?
    }

    private struct Joined<Value: Sendable, Partial: Sendable> {
        let subscription: Subscription<Value, Partial>
        let actions: [WorkGraph.Action]
        let previews: [PreviewSwitch]
        let pauses: [DownloadPause]
    }

    private let state: Locked<LoadGraphState>
    private let closed = Atomic<Bool>(false)

    init(limits: (Stage) -> Int) {
        state = Locked(LoadGraphState(WorkGraph(limits: limits)))
    }

    // MARK: - Subscribing

    /// Subscribes to the work of a key; starts the work if there is none in progress.
    ///
    /// A nil key is never shared. Returns nil if the subscriber has no subscribers left, or the
    /// graph is closed. `didJoin` is called before the work starts.
    func subscribe<Value, Partial>(
        _ subscriber: GraphSubscriber, to key: WorkKey?, of request: ImageRequest,
        wantsPreviews: @autoclosure () -> Bool = false,
        didJoin: (Subscription<Value, Partial>) -> Void = { _ in },
        start: (WorkUnit<Value, Partial>) -> Void
    ) -> WorkUnit<Value, Partial>? {
        let joined = state.withLock { state -> Joined<Value, Partial>? in
            guard let (node, isNew) = state.subscribe(subscriber, to: key) else { return nil }
            if isNew { state.units[node] = WorkUnit<Value, Partial>(id: node, request: request) }
            guard let unit = state.units[node] as? WorkUnit<Value, Partial> else { return nil }
            let wantsPreviews = wantsPreviews()
            let chain = isNew && !wantsPreviews ? [] : state.chain(from: node)
            let previews = wantsPreviews ? chain.map(\.previews) : []
            for preview in previews { preview.isWanted = true }
            let bodies = isNew ? [] : chain.compactMap { $0.progress }
            return Joined(
                subscription: .init(unit: unit, isNew: isNew, progress: bodies.first),
                actions: state.skipQueue(request, node), previews: previews,
                pauses: isNew ? [] : state.takePauses(below: node, for: subscriber))
        }
        guard let joined else { return nil }
        let unit = joined.subscription.unit
        didJoin(joined.subscription)
        for preview in joined.previews { preview.startIfDue() }
        if joined.subscription.isNew { start(unit) }
        perform(joined.actions)
        for pause in joined.pauses { pause.endEarly() }
        return unit
    }

    /// Removes the subscription of a task; cancels the work that has no subscriber left.
    func leave(_ task: WorkGraph.TaskID) {
        let actions = state.withLock { state in
            state.tasks[task] = nil
            return state.graph.leave(task)
        }
        perform(actions)
    }

    func setPriority(_ priority: Priority, of task: WorkGraph.TaskID) {
        state.withLock { $0.graph.setPriority(priority, of: task) }
    }

    /// Ends the work of a node with a result.
    ///
    /// `deliver` is given the tasks that were subscribed to it.
    func finish<Value, Partial>(
        _ unit: WorkUnit<Value, Partial>, _ outcome: WorkResult<Value>,
        _ deliver: ([any SubscribedTask]) -> Void
    ) {
        let (tasks, actions) = state.withLock { state in
            let (ids, actions) = state.graph.finish(unit.id)
            state.units[unit.id] = nil
            return (ids.compactMap { state.tasks.removeValue(forKey: $0) }, actions)
        }
        if tasks.isEmpty {
            // Only other work waits for it: this thread continues with that.
            BlockingPool.handingOver { unit.output.finish(outcome) }
        } else {
            unit.output.finish(outcome)
            deliver(tasks)
        }
        perform(actions)
    }

    /// Accepts no more tasks; returns the present ones.
    func close() -> [any SubscribedTask] {
        state.withLock { state in
            closed.store(true, ordering: .releasing)
            return state.close()
        }
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    // MARK: - Working in stages

    /// Waits for a slot in a stage; nil if the work has no subscribers left.
    func acquire(
        _ stage: Stage, for node: WorkGraph.NodeID, isOutsideQueue: Bool = false
    ) async -> WorkQueue.Ticket? {
        let (ticket, answer) = state.withLock { state in
            let (ticket, answer) = state.graph.ask(node, stage, isOutsideQueue: isOutsideQueue)
            if answer == nil { state.waiters[ticket] = .expected }
            return (ticket, answer)
        }
        switch answer {
        case .grant(let ticket): return ticket
        case .refuse, .cancel: return nil
        case nil: break
        }
        return await withUnsafeContinuation { (waiter: LoadGraphState.Waiter) in
            let early = state.withLock { state -> WorkQueue.Ticket?? in
                guard case .answered(let answer) = state.waiters[ticket] else {
                    state.waiters[ticket] = .waiting(waiter)
                    return nil
                }
                state.waiters[ticket] = nil
                return answer
            }
            if let early { waiter.resume(returning: early) }
        }
    }

    func release(_ ticket: WorkQueue.Ticket) {
        perform(state.withLock { $0.graph.release(ticket) })
    }

    /// The queue of a stage.
    func queue(of stage: Stage) -> WorkQueue { state.withLock { $0.graph.queue(of: stage) } }

    /// Changes the queue of a stage; work for which there is room now begins.
    func changeQueue(of stage: Stage, _ body: (inout WorkQueue) -> Void) {
        perform(state.withLock { $0.graph.changeQueue(of: stage, body) })
    }

    private func perform(_ actions: [WorkGraph.Action]) {
        for action in actions {
            switch action {
            case .cancel(let node):
                state.withLock { $0.units.removeValue(forKey: node) }?.cancel()
            case .grant(let ticket):
                state.withLock { $0.answer(ticket, ticket) }?.resume(returning: ticket)
            case .refuse(let ticket):
                state.withLock { $0.answer(ticket, nil) }?.resume(returning: nil)
            }
        }
    }
}

// MARK: - Queries

extension LoadGraph {
    /// The number of tasks that have not ended.
    var taskCount: Int { state.withLock { $0.tasks.count } }

    /// The number of nodes that wait for a slot in a stage.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Whether a task is subscribed to exactly this node.
    func hasTasks(_ node: WorkGraph.NodeID) -> Bool { state.withLock { $0.graph.hasTasks(node) } }

    /// The tasks that are subscribed to exactly this node; nil if the node has ended.
    func tasks(of node: WorkGraph.NodeID) -> [any SubscribedTask]? {
        state.withLock { state in
            guard state.graph.contains(node) else { return nil }
            return state.graph.tasks(of: node).compactMap { state.tasks[$0] }
        }
    }

    /// The tasks that are subscribed to a node or to a dependent one.
    func tasks(above node: WorkGraph.NodeID) -> [any SubscribedTask] {
        state.withLock { state in
            state.graph.tasks(above: node).compactMap { state.tasks[$0] }
        }
    }

    /// Whether a task wants the image of a node's bytes as it is; a rendition is something else.
    func isWantedUnfinished(_ node: WorkGraph.NodeID) -> Bool {
        state.withLock { state in
            state.graph.dependents(of: node).contains { dependent in
                guard state.graph.hasTasks(dependent), let work = state.units[dependent] else {
                    return false
                }
                return work is ImageWork && !work.request.isFinished
            }
        }
    }

    // MARK: - Delayed downloads

    /// The earliest time at which a subscriber of a node wants its download to start.
    func earliestStart(of node: WorkGraph.NodeID) -> Duration? {
        state.withLock { $0.earliestStart(of: node) }
    }

    /// Begins a pause until the earliest start; nil if that time has come.
    func beginPause(_ node: WorkGraph.NodeID, at now: Duration) -> DownloadPause? {
        state.withLock { state in
            guard let start = state.earliestStart(of: node), start > now else { return nil }
            let pause = DownloadPause(until: start)
            state.pauses[node] = pause
            return pause
        }
    }

    func didEnd(_ pause: DownloadPause, of node: WorkGraph.NodeID) {
        state.withLock { if $0.pauses[node] === pause { $0.pauses[node] = nil } }
    }
}
