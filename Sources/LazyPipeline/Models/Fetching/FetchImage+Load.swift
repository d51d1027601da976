extension FetchImage {
    /// Starts a load; the previous image stays until there is a new one.
    ///
    /// An upgrade keeps the result too, which is that of the low-data image.
    func start(isUpgrade: Bool = false) {
        guard let request = source.map(completed) else { return }
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
            if let cached, !isUpgrade {
                self.container = cached
                self.cacheType = nil
                self.isLowData = false
            }
        }
        begin(request)
    }

    /// A request with what it leaves to the model.
    func completed(_ request: ImageRequest) -> ImageRequest {
        var request = request
        if request.processors.isEmpty, !processors.isEmpty { request.processors = processors }
        if priority != .normal { request.priority = priority }
        return request
    }

    /// Shows an image from disk as the result of a finished load.
    func show(_ container: ImageContainer, of request: ImageRequest) {
        handle = nil
        source = request
        let response = ImageResponse(container: container, request: request, cacheType: .disk)
        calls.holdingBack { finish(.success(response)) }
    }

    // The previous load is cancelled after this one has started, so that they share work.
    private func begin(_ request: ImageRequest) {
        let task = pipeline.imageTask(with: request)
        handle = LoadHandle(task) { [weak self, weak task] event in
            // An event of a replaced load may still arrive.
            guard let self, let task, self.handle?.task === task else { return }
            self.calls.makeAll()
            guard self.handle?.task === task else { return }
            self.receive(event)
        }
        tell { $0.onStart?(task) }
    }

    /// Makes a callback, now or in the next turn of the main actor.
    func tell(_ call: @escaping @MainActor (FetchImage) -> Void) {
        calls.make { [weak self] in if let self { call(self) } }
    }

    private func receive(_ event: ImageTask.Event) {
        switch event {
        case .progress(let progress):
            change { self.progress = progress }
            onProgress?(progress)
        case .preview(let response):
            // The complete low-data image is better than a part of the other one.
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
            // The low-data image stays; the next end of the constraint tries again.
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
                if response.cacheType == .memory { self.progress = Progress() }
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
        // A callback may have started another load.
        if generation == calls.generation { didFinish() }
    }
}
