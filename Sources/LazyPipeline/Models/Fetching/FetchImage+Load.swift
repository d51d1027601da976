// What the model does outside of its state machine: tasks, changes, callbacks.
extension FetchImage {
    /// Loads another request, whose image in memory is `cached`.
    ///
    /// While an initializer runs, callbacks are yet to be set: that of the start is made later.
    func load(_ request: ImageRequest, cached: ImageContainer?, isInitial: Bool = false) {
        endWaiting()
        let identified = identified(request)
        apply(isInitial: isInitial) { $0.load(request, as: identified, cached: cached) }
    }

    /// Starts the load of the present request.
    func start(isUpgrade: Bool = false) {
        guard let source = machine.source else { return }
        let (request, cached) = (identified(source), cached(source))
        apply { $0.start(request, cached: cached, isUpgrade: isUpgrade) }
    }

    /// The image of a request in memory, if the request's options allow reading it.
    func cached(_ request: ImageRequest) -> ImageContainer? {
        loader.cachedInMemory(identified(request).known(by: loader.delegate, loader))
    }

    /// Nobody waits any longer for the current load, nor for the end of the constraint.
    func endWaiting() {
        watch = nil
        resumeWaiters(with: .failure(.cancelled))
    }

    /// Publishes what an event changes, then does what it requires.
    func apply(isInitial: Bool = false, _ event: (inout LoadMachine) -> LoadMachine.Action) {
        var next = machine
        let action = event(&next)
        if next.revision != machine.revision { pending = nil }
        switch action {
        case .nothing: break
        case .begin(let request):
            publish(next)
            begin(request, isInitial: isInitial)
        case .end:
            endTask()
            publish(next)
        case .report(let progress):
            publish(next)
            onProgress?(progress)
        case .preview(let response):
            publish(next, response)
            onPreview?(response)
        case .hit(let response):
            endTask()
            publish(next, response, isHit: true)
            finish(.success(response), isHit: true)
        case .finish(let outcome):
            endTask()
            publish(next, try? outcome.get())
            finish(outcome, isHit: false)
        }
    }

    // MARK: - Tasks

    // The previous load is cancelled after this one has started, so that they share work.
    private func begin(_ request: ImageRequest, isInitial: Bool) {
        let task = loader.imageTask(with: completed(request))
        endTask()
        self.task = task
        let events = task.events
        // Owned by this model; replaced and cancelled with the task.
        reader = OwnedTask(
            Task { [weak self] in
                self?.makePendingCalls()
                for await event in events where !Task.isCancelled {
                    self?.apply { $0.receive(event) }
                }
            })
        if isInitial { pending = .start } else { onStart?(task) }
    }

    private func endTask() {
        task?.cancel()
        task = nil
        reader = nil
    }

    /// A request with the processors of the model, if it has none.
    private func identified(_ request: ImageRequest) -> ImageRequest {
        if processors.isEmpty || !request.processors.isEmpty { return request }
        var request = request
        request.processors = processors
        return request
    }

    /// A request with all that it leaves to the model.
    private func completed(_ request: ImageRequest) -> ImageRequest {
        var request = request
        observer?.complete(&request)
        if priority != .normal { request.priority = priority }
        return request
    }
}
