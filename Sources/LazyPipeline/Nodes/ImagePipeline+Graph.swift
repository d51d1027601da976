internal import FoundationEssentials
internal import LazyBytes
internal import LazyLoading

/// Bytes that were loaded, and where they came from.
struct LoadedData: Sendable {
    var blob: Blob
    var head: ResponseHead?
    var cacheType: CacheType?
    /// The other address they are of: for constrained networks, or an alternative.
    var substitute: URL?
}

/// A picture that was made, and which cache it came from.
struct LoadedImage: Sendable {
    var container: ImageContainer
    /// Which cache answered: with the picture, or with what it was made from.
    var cacheType: CacheType?
    var substitute: URL?
    /// Whether what a cache gave was processed since.
    var isProcessed = false

    /// The cache that has this very picture, or the bytes it is decoded from.
    var holder: CacheType? { isProcessed ? nil : cacheType }
}

// Where the graph's decisions are acted upon: outside the lock, always.
extension ImagePipeline {
    /// Lets a task wait for the work of its request; starts the work where there is none.
    func join(_ task: ImageTask, _ request: ImageRequest) {
        let key = imageKey(request)
        let priority = task.priority
        let entry = state.withLock { state -> Entry<ImageWork>? in
            guard !isInvalidated else { return nil }
            let (node, isNew) = state.graph.join(task.id, priority, key)
            state.imageTasks[task.id] = task
            if isNew { state.imageWorks[node] = ImageWork(id: node, request: request) }
            guard let work = state.imageWorks[node] else { return nil }
            return Entry(
                work: work, isNew: isNew, actions: state.skipQueue(request, node),
                pauses: isNew
                    ? []
                    : state.takePauses(
                        below: node, beginning: task.startedAt + request.downloadDelay),
                previews: isProgressive(request) ? state.previews(below: node) : [],
                body: isNew ? nil : state.body(below: node))
        }
        guard let entry else {
            task.end(.failure(.pipelineInvalidated))
            return
        }
        didStart(task, isNew: entry.isNew)
        for preview in entry.previews { preview.turnOn() }
        if entry.isNew {
            begin(entry.work)
        } else {
            if let progress = entry.body?.progress { task.didProgress(progress) }
            if isProgressive(request), let preview = entry.work.output.partial {
                task.didPreview(preview)
            }
        }
        perform(entry.actions)
        for pause in entry.pauses { pause.end() }
        // Whoever was told of the task may have changed or ended it before it had joined.
        if task.priority != priority { setPriority(task.priority, of: task.id) }
        if task.result != nil { leave(task.id) }
    }

    /// Lets a task wait for the bytes of its request.
    func join(_ task: DataTask, _ request: ImageRequest) {
        let key = dataKey(request)
        let entry = state.withLock { state -> Entry<DataWork>? in
            guard !isInvalidated else { return nil }
            let (node, isNew) = state.graph.join(task.id, task.priority, key)
            state.dataTasks[task.id] = task
            if isNew { state.dataWorks[node] = DataWork(id: node, request: request) }
            guard let work = state.dataWorks[node] else { return nil }
            return Entry(
                work: work, isNew: isNew, actions: state.skipQueue(request, node),
                pauses: isNew
                    ? []
                    : state.takePauses(
                        below: node, beginning: task.startedAt + request.downloadDelay),
                body: isNew ? nil : state.body(below: node))
        }
        guard let entry else {
            task.end(.failure(.pipelineInvalidated))
            return
        }
        if entry.isNew { entry.work.start { [self, work = entry.work] in await run(work) } }
        if let progress = entry.body?.progress { task.didProgress(progress) }
        perform(entry.actions)
        for pause in entry.pauses { pause.end() }
    }

    /// Lets work wait for the picture it is made of; nil when nobody wants it any more.
    func depend(_ work: ImageWork, onImage request: ImageRequest) -> ImageWork? {
        let key = imageKey(request)
        let entry = state.withLock { state -> Entry<ImageWork>? in
            guard let (node, isNew) = state.graph.depend(work.id, on: key) else { return nil }
            if isNew { state.imageWorks[node] = ImageWork(id: node, request: request) }
            guard let below = state.imageWorks[node] else { return nil }
            return Entry(
                work: below, isNew: isNew, actions: state.skipQueue(request, node),
                pauses: isNew
                    ? []
                    : state.takePauses(below: node, for: work.id),
                previews: work.previews.isOn ? state.previews(below: node) : [])
        }
        guard let entry else { return nil }
        for preview in entry.previews { preview.turnOn() }
        if entry.isNew { begin(entry.work) }
        perform(entry.actions)
        for pause in entry.pauses { pause.end() }
        return entry.work
    }

    /// Lets work wait for its bytes; nil when nobody wants it any more.
    ///
    /// A download that has begun is gone on with, unless another one is under way.
    func dependOnData(_ work: ImageWork, begun: LoadResponse? = nil) -> DataWork? {
        let key = dataKey(work.request)
        let entry = state.withLock { state -> Entry<DataWork>? in
            guard let (node, isNew) = state.graph.depend(work.id, on: key) else { return nil }
            if isNew {
                state.dataWorks[node] = DataWork(id: node, request: work.request, begun: begun)
            }
            guard let below = state.dataWorks[node] else { return nil }
            return Entry(
                work: below, isNew: isNew, actions: state.skipQueue(work.request, node),
                pauses: isNew
                    ? []
                    : state.takePauses(below: node, for: work.id))
        }
        guard let entry else { return nil }
        if entry.isNew { entry.work.start { [self, work = entry.work] in await run(work) } }
        perform(entry.actions)
        for pause in entry.pauses { pause.end() }
        return entry.work
    }

    /// A task is no longer interested.
    func leave(_ id: Int) {
        let actions = state.withLock { state in
            state.imageTasks[id] = nil
            state.dataTasks[id] = nil
            return state.graph.leave(id)
        }
        perform(actions)
    }

    func setPriority(_ priority: Priority, of id: Int) {
        state.withLock { $0.graph.setPriority(priority, of: id) }
    }

    /// Ends the work of a picture, and the tasks that waited for it.
    func finish(_ work: ImageWork, _ outcome: WorkResult<LoadedImage>) {
        let (tasks, actions) = state.withLock { state in
            let (ids, actions) = state.graph.finish(work.id)
            state.imageWorks[work.id] = nil
            return (ids.compactMap { state.imageTasks.removeValue(forKey: $0) }, actions)
        }
        work.output.finish(outcome)
        for task in tasks {
            task.end(
                outcome.result.map {
                    ImageResponse(
                        container: $0.container, request: task.request,
                        cacheType: $0.cacheType, substitute: $0.substitute)
                }, outcome.record)
        }
        perform(actions)
    }

    /// Ends the work of a download, and the tasks that waited for its bytes.
    func finish(_ work: DataWork, _ outcome: WorkResult<LoadedData>) {
        let (tasks, actions) = state.withLock { state in
            let (ids, actions) = state.graph.finish(work.id)
            state.dataWorks[work.id] = nil
            return (ids.compactMap { state.dataTasks.removeValue(forKey: $0) }, actions)
        }
        work.output.finish(outcome)
        for task in tasks {
            task.end(
                outcome.result.map {
                    DataTask.Response(
                        data: $0.blob, head: $0.head, cacheType: $0.cacheType,
                        substitute: $0.substitute)
                })
        }
        perform(actions)
    }

    // MARK: - Places in stages

    /// Waits for a place in a stage; nil when the work is not wanted any more.
    func acquire(
        _ node: Int, _ stage: Stage, isOutsideQueue: Bool = false
    ) async -> WorkQueue.Ticket? {
        await withUnsafeContinuation { (waiter: UnsafeContinuation<Int?, Never>) in
            let answer = state.withLock { state in
                let (ticket, answer) = state.graph.ask(
                    node, stage, isOutsideQueue: isOutsideQueue)
                if answer == nil { state.waiters[ticket] = waiter }
                return answer
            }
            switch answer {
            case .grant(let ticket): waiter.resume(returning: ticket)
            case .refuse: waiter.resume(returning: nil)
            case .cancel, nil: break
            }
        }
    }

    func release(_ ticket: WorkQueue.Ticket) {
        perform(state.withLock { $0.graph.release(ticket) })
    }

    /// Does work in a stage, and measures how long it waited and how long it took.
    func inStage<Value>(
        _ stage: Stage, _ node: Int, _ record: inout WorkRecord,
        _ time: WritableKeyPath<WorkRecord, Duration>, isOutsideQueue: Bool = false,
        _ body: () async throws(PipelineError) -> Value
    ) async throws(PipelineError) -> Value {
        let clock = configuration.clocks.steady
        let asked = clock.now
        guard let ticket = await acquire(node, stage, isOutsideQueue: isOutsideQueue) else {
            throw .cancelled
        }
        defer { release(ticket) }
        let began = clock.now
        record.queued += began - asked
        metrics.queued.record(began - asked)
        if Task.isCancelled { throw .cancelled }
        defer {
            let length = clock.now - began
            record[keyPath: time] += length
            metrics.timer(of: stage).record(length)
        }
        return try await spanned(stage, body)
    }

    // MARK: - Steps

    /// Begins new work, after it has joined what it is made of where that needs no disk.
    private func begin(_ work: ImageWork) {
        let link = link(work)
        work.start { [self] in await run(work, link) }
    }

    private struct Entry<W> {
        let work: W
        let isNew: Bool
        let actions: [WorkGraph.Action]
        /// Those that may end now that somebody else wants the same.
        var pauses: [DownloadPause] = []
        /// Those that are wanted from now on.
        var previews: [PreviewSwitch] = []
        var body: GrowingBody?
    }

    private func imageKey(_ request: ImageRequest) -> WorkKey? {
        guard configuration.isTaskCoalescingEnabled else { return nil }
        return .image(ImageCacheKey(request), DataKey(request), request.options.sharing)
    }

    private func dataKey(_ request: ImageRequest) -> WorkKey? {
        configuration.isTaskCoalescingEnabled ? .data(DataKey(request)) : nil
    }

    func perform(_ actions: [WorkGraph.Action]) {
        for action in actions {
            switch action {
            case .cancel(let node):
                let (image, data, store) = state.withLock {
                    (
                        $0.imageWorks.removeValue(forKey: node),
                        $0.dataWorks.removeValue(forKey: node), $0.storeWorks[node]
                    )
                }
                image?.cancel()
                data?.cancel()
                store?.cancel()
            case .grant(let ticket):
                state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume(returning: ticket)
            case .refuse(let ticket):
                state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume(returning: nil)
            }
        }
    }
}

extension ImageRequest.Options {
    /// Those that make work another one; where it waits and who sees previews of it does not.
    var sharing: ImageRequest.Options { subtracting([.skipDataLoadingQueue, .progressive]) }
}

extension ImagePipeline.State {
    mutating func skipQueue(_ request: ImageRequest, _ node: Int) -> [WorkGraph.Action] {
        guard request.options.contains(.skipDataLoadingQueue) else { return [] }
        return graph.skipQueue(.loading, for: node)
    }

    /// The previews of a node and of what it is made of.
    func previews(below node: Int) -> [PreviewSwitch] {
        graph.chain(from: node).compactMap { imageWorks[$0]?.previews }
    }

    /// What has arrived for a node, where a download is under way for it.
    func body(below node: Int) -> GrowingBody? {
        graph.chain(from: node).lazy.compactMap { dataWorks[$0]?.output.partial }.first
    }
}
