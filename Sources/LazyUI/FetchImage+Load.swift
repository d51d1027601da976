internal import LazyPipeline

/// Owns a load and the task that listens to it; releasing it ends both.
final class LoadHandle: Sendable {
    let task: ImageTask
    let isLowData: Bool
    private let listener: Task<Void, Never>

    init(
        _ task: ImageTask, isLowData: Bool,
        receive: @escaping @MainActor @Sendable (ImageTask.Event) -> Void
    ) {
        self.task = task
        self.isLowData = isLowData
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

extension FetchImage {
    /// Begins a load; the picture of the load before stays until there is another.
    func start(_ request: ImageRequest, isLowData: Bool) {
        var request = request
        if request.processors.isEmpty { request.processors = processors }
        request.priority = priority == .normal ? request.priority : priority
        let cached = pipeline.memoryCached(request)
        if let cached, !cached.isPreview {
            let response = ImageResponse(
                container: cached, request: request, cacheType: .memory)
            return finish(.success(response), isLowData: isLowData)
        }
        change {
            self.result = nil
            self.progress = Progress()
            self.isLoading = true
            if let cached { self.container = cached }
        }
        begin(request, isLowData: isLowData)
    }

    private func begin(_ request: ImageRequest, isLowData: Bool) {
        let task = pipeline.imageTask(with: request)
        handle = LoadHandle(task, isLowData: isLowData) { [weak self, weak task] event in
            // A load that was replaced may still have an event under way.
            guard let self, let task, self.handle?.task === task else { return }
            self.receive(event, isLowData: isLowData)
        }
        onStart?(task)
    }

    private func receive(_ event: ImageTask.Event, isLowData: Bool) {
        switch event {
        case .progress(let progress):
            change { self.progress = progress }
            onProgress?(progress)
        case .preview(let response):
            change { self.container = response.container }
            onContainer?(response.container)
            onPreview?(response)
        case .finished(let outcome):
            handle = nil
            if !isLowData, fallBack(from: outcome) { return }
            finish(outcome, isLowData: isLowData)
        }
    }

    private func finish(_ outcome: Outcome, isLowData: Bool) {
        change {
            self.isLoading = false
            self.result = outcome
            guard case .success(let response) = outcome else { return }
            self.container = response.container
            self.cacheType = response.cacheType
            self.isLowData = isLowData
        }
        switch outcome {
        case .success(let response):
            onContainer?(response.container)
            onSuccess?(response)
        case .failure(let error): onFailure?(error)
        }
        onCompletion?(outcome)
    }
}
