internal import LazyPipeline

/// Owns a load and the task that listens to it; releasing it ends both.
final class LoadHandle: Sendable {
    let task: ImageTask
    private let listener: Task<Void, Never>

    init(_ task: ImageTask, receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void) {
        self.task = task
        let events = task.events
        // Owned by this handle, which cancels it.
        listener = Task { @MainActor in
            for await event in events where !Task.isCancelled { receive(event) }
        }
    }

    deinit {
        listener.cancel()
        task.cancel()
    }
}

/// A model above a `FetchImage`, which shows what it loads.
@MainActor protocol ContainerListening: AnyObject {
    /// A container is about to be published; callbacks go through `calls` of the model.
    func willPublish(_ container: ImageContainer, from cacheType: CacheType?)

    /// It is being published, in the same transaction as this.
    func isPublishing(_ container: ImageContainer)
}

extension FetchImage {
    /// Begins a load; the picture of the load before stays until there is another.
    ///
    /// An upgrade leaves the result in place as well: it is that of the picture for low data.
    func start(isUpgrade: Bool = false) {
        guard var request = source else { return }
        if request.processors.isEmpty { request.processors = processors }
        request.priority = priority == .normal ? request.priority : priority
        calls.drop()
        isUpgrading = isUpgrade
        isUpgradeWanted = false
        let cached = pipeline.memoryCached(request)
        if let cached, !cached.isPreview {
            handle = nil
            let response = ImageResponse(
                container: cached, request: request, cacheType: .memory)
            return calls.holdingBack { finish(.success(response)) }
        }
        change {
            if !isUpgrade { self.result = nil }
            self.progress = Progress()
            self.isLoading = true
            if let cached, !isUpgrade { self.container = cached }
        }
        begin(request)
    }

    /// Shows what a disk has, as a load that has ended.
    func show(_ container: ImageContainer, of request: ImageRequest) {
        handle = nil
        source = request
        let response = ImageResponse(container: container, request: request, cacheType: .disk)
        calls.holdingBack { finish(.success(response)) }
    }

    // The load before ends behind the beginning of this one, so that they share what they can.
    private func begin(_ request: ImageRequest) {
        let task = pipeline.imageTask(with: request)
        handle = LoadHandle(task) { [weak self, weak task] event in
            // A load that was replaced may still have an event under way.
            guard let self, let task, self.handle?.task === task else { return }
            self.calls.makeAll()
            guard self.handle?.task === task else { return }
            self.receive(event)
        }
        tell { $0.onStart?(task) }
    }

    /// Calls back now, or in the next turn where that was promised.
    func tell(_ call: @escaping @MainActor (FetchImage) -> Void) {
        calls.make { [weak self] in if let self { call(self) } }
    }

    private func receive(_ event: ImageTask.Event) {
        switch event {
        case .progress(let progress):
            change { self.progress = progress }
            onProgress?(progress)
        case .preview(let response):
            // The picture for low data is better than a part of the other.
            if isUpgrading { break }
            publish(response) {}
            onPreview?(response)
        case .finished(let outcome):
            handle = nil
            finish(outcome)
        }
    }

    private func publish(_ response: ImageResponse, _ others: () -> Void) {
        listener?.willPublish(response.container, from: response.cacheType)
        change {
            self.container = response.container
            others()
            self.listener?.isPublishing(response.container)
        }
    }

    private func finish(_ outcome: Outcome) {
        if case .failure = outcome, isUpgrading {
            // What is shown stays; the next end of the constraint is another chance.
            return change { self.isLoading = false }
        }
        let generation = calls.generation
        switch outcome {
        case .success(let response):
            publish(response) {
                self.isLoading = false
                self.result = outcome
                self.cacheType = response.cacheType
                self.isLowData = response.isLowData
            }
            waiters.end(outcome)
            tell { $0.onSuccess?(response) }
        case .failure(let error):
            change {
                self.isLoading = false
                self.result = outcome
            }
            waiters.end(outcome)
            tell { $0.onFailure?(error) }
        }
        tell { $0.onCompletion?(outcome) }
        // A callback may have begun another load.
        if generation == calls.generation { didFinish() }
    }
}
