/// What a model shows of its load, and what each event changes and requires; pure.
struct LoadMachine {
    typealias Outcome = FetchImage.Outcome

    /// What the owner does about an event.
    enum Action {
        case nothing
        /// Start a task, then cancel the previous one.
        case begin(ImageRequest)
        /// Cancel the task.
        case end
        /// Report progress.
        case report(FetchImage.Progress)
        /// Show a preview.
        case preview(ImageResponse)
        /// Show an image that a cache had: no task has to be waited for.
        case hit(ImageResponse)
        /// Report how the task ended.
        case finish(Outcome)
    }

    /// The request, before the owner completes it.
    var source: ImageRequest?
    private(set) var container: ImageContainer?
    private(set) var result: Outcome?
    private(set) var isLoading = false
    private(set) var progress = FetchImage.Progress()
    private(set) var cacheType: CacheType?
    private(set) var isLowData = false
    /// Changes when a load starts or is dropped.
    private(set) var revision = 0
    /// Whether the load replaces a low-data image by the better one.
    private var isUpgrade = false
    /// Whether the constraint ended during the load.
    private(set) var isUpgradeDue = false

    /// Whether a load is in progress or done.
    var hasBegun: Bool { source != nil && (isLoading || result != nil) }

    /// Whether the image waits for the end of the constraint.
    var awaitsUpgrade: Bool {
        guard isLowData, case .success = result else { return false }
        return true
    }

    /// Whether the result, its cache and its quality are those of another state.
    func hasSameResult(as other: LoadMachine) -> Bool {
        guard cacheType == other.cacheType, isLowData == other.isLowData else { return false }
        switch (result, other.result) {
        case (nil, nil): return true
        case (.success(let own), .success(let theirs)):
            return ImageContainer.areSame(own.container, theirs.container)
        default: return false
        }
    }

    // MARK: - Commands

    /// Loads another source; `cached` is its image in memory, which replaces the present one.
    mutating func load(
        _ source: ImageRequest, as request: ImageRequest, cached: ImageContainer?
    ) -> Action {
        if cached == nil { clear() }
        self.source = source
        return start(request, cached: cached)
    }

    /// Starts a load, which keeps the image until there is a new one.
    ///
    /// An upgrade keeps the result too, which is that of the low-data image.
    mutating func start(
        _ request: ImageRequest, cached: ImageContainer?, isUpgrade: Bool = false
    ) -> Action {
        drop()
        self.isUpgrade = isUpgrade
        if let cached, !cached.isPreview {
            return show(
                ImageResponse(container: cached, request: request, cacheType: .memory))
        }
        isLoading = true
        progress = FetchImage.Progress()
        if isUpgrade { return .begin(request) }
        result = nil
        if let cached {
            container = cached
            cacheType = nil
            isLowData = false
        }
        return .begin(request)
    }

    /// Shows an image of a cache as the result of a load.
    mutating func show(_ response: ImageResponse) -> Action {
        drop()
        succeed(response)
        return .hit(response)
    }

    /// Ends the load; the image stays.
    mutating func cancel() -> Action {
        drop()
        return .end
    }

    /// Ends the load and clears all state.
    mutating func reset() -> Action {
        drop()
        source = nil
        clear()
        return .end
    }

    // MARK: - Events

    mutating func receive(_ event: ImageTask.Event) -> Action {
        switch event {
        case .progress(let progress):
            self.progress = progress
            return .report(progress)
        case .preview(let response):
            // The complete low-data image is better than a part of the other one.
            if isUpgrade { return .nothing }
            container = response.container
            return .preview(response)
        case .finished(let outcome):
            isLoading = false
            switch outcome {
            case .success(let response): succeed(response)
            // The low-data image stays; the next end of the constraint tries again.
            case .failure where isUpgrade: return .end
            case .failure: result = outcome
            }
            return .finish(outcome)
        }
    }

    /// The network is unconstrained; returns whether to start an upgrade now.
    mutating func endConstraint() -> Bool {
        guard isLowData else { return false }
        isUpgradeDue = isLoading
        return !isLoading
    }

    // MARK: - Steps

    private mutating func succeed(_ response: ImageResponse) {
        result = .success(response)
        container = response.container
        cacheType = response.cacheType
        isLowData = response.isLowData
        if cacheType == .memory { progress = FetchImage.Progress() }
    }

    private mutating func drop() {
        revision += 1
        isLoading = false
        isUpgradeDue = false
    }

    private mutating func clear() {
        container = nil
        result = nil
        progress = FetchImage.Progress()
        cacheType = nil
        isLowData = false
    }
}
