public import FoundationEssentials
public import LazyMedia
public import Observation

/// Loads one image and publishes its state.
///
/// Starts at once if created with a request, otherwise with `load(_:)`; releasing it
/// cancels the load. An image in the memory cache is set before the initializer returns.
///
/// ```swift
/// let image = FetchImage(url: url, pipeline: pipeline)
/// withObservationTracking { show(image.image, image.progress) } onChange: { redraw() }
/// ```
///
/// Callbacks of a load that an initializer started, or that the memory cache answered, are made in
/// the next turn of the main actor: callbacks set right after the initializer are called.
@MainActor @Observable
public final class FetchImage: Identifiable {
    /// The progress of the download.
    public typealias Progress = ImageTask.Progress
    /// How a load ended.
    public typealias Outcome = Result<ImageResponse, PipelineError>

    /// The image with its frames; a preview while more bytes are to come.
    public internal(set) var container: ImageContainer?
    /// How the last load ended; nil while there is none, and again when a load starts.
    public internal(set) var result: Outcome?
    /// Whether a load is in progress.
    public internal(set) var isLoading = false
    /// The progress of the download.
    public internal(set) var progress = Progress()
    /// The cache that answered the last load, or nil for the source.
    public internal(set) var cacheType: CacheType?
    /// Whether the image comes from the URL for constrained networks.
    public internal(set) var isLowData = false

    /// The processors of requests that have none.
    ///
    /// A change restarts such a load; the image stays until there is a new one.
    public var processors: [any ImageProcessing] = [] {
        didSet {
            guard processors.map(\.identifier) != oldValue.map(\.identifier) else { return }
            if let source, source.processors.isEmpty, hasBegun { reload() }
        }
    }

    /// The priority of the load; may be set while it runs.
    public var priority: Priority = .normal {
        didSet { handle?.task.priority = priority }
    }

    /// Applies the changes to published properties, for example in an animation of a UI toolkit.
    ///
    /// It must call the closure exactly once before it returns.
    @ObservationIgnored public var transaction: (@MainActor (_ change: () -> Void) -> Void)?
    /// Called with the task when a load starts; not if the memory cache answers.
    @ObservationIgnored public var onStart: (@MainActor (ImageTask) -> Void)?
    /// Called with each preview.
    @ObservationIgnored public var onPreview: (@MainActor (ImageResponse) -> Void)?
    /// Called when bytes have arrived.
    @ObservationIgnored public var onProgress: (@MainActor (Progress) -> Void)?
    /// Called when the image has been loaded.
    @ObservationIgnored public var onSuccess: (@MainActor (ImageResponse) -> Void)?
    /// Called when a load fails; not when it is cancelled by `cancel()`.
    @ObservationIgnored public var onFailure: (@MainActor (PipelineError) -> Void)?
    /// Called when a load has succeeded or failed; not when it is cancelled by `cancel()`.
    @ObservationIgnored public var onCompletion: (@MainActor (Outcome) -> Void)?

    /// The pipeline that loads; a change restarts the load.
    @ObservationIgnored public var pipeline: ImagePipeline {
        didSet { if pipeline !== oldValue, hasBegun { reload() } }
    }
    /// The model that shows the container; notified before and while it is published.
    @ObservationIgnored weak var listener: (any ContainerListening)?
    @ObservationIgnored var source: ImageRequest?
    @ObservationIgnored var handle: LoadHandle?
    @ObservationIgnored var watch: ConditionsWatch?
    /// Whether the current load replaces a low-data image with the better one.
    @ObservationIgnored var isUpgrading = false
    /// Whether the constraint ended during a load.
    @ObservationIgnored var isUpgradeWanted = false
    @ObservationIgnored let calls = PendingCalls()
    @ObservationIgnored let waiters = LoadWaiters()
    @ObservationIgnored let phaseListeners = PhaseListeners()
    /// Decodes a poster that the load did not decode.
    @ObservationIgnored private var posterWork: OwnedTask?
    /// Changes when that is done, for observers.
    private var postersMade = 0

    /// Creates a model that loads nothing until `load(_:)` is called.
    public init(pipeline: ImagePipeline) { self.pipeline = pipeline }

    /// Starts to load a request.
    public convenience init(request: ImageRequest, pipeline: ImagePipeline) {
        self.init(pipeline: pipeline)
        calls.holdingBack { load(request) }
    }

    /// Starts to load a URL.
    public convenience init(url: URL, pipeline: ImagePipeline) {
        self.init(request: ImageRequest(url: url), pipeline: pipeline)
    }

    /// The poster of the loaded image or of the last preview.
    ///
    /// Never blocks: a poster that the load did not decode (`.skipDecompression`) is nil at first, is
    /// decoded in the background after the first access, and then published like any change.
    public var image: Bitmap? {
        _ = postersMade
        guard let container else { return nil }
        if let image = container.decodedImage { return image }
        decodePoster(of: container)
        return nil
    }

    private func decodePoster(of container: ImageContainer) {
        guard posterWork == nil else { return }
        // Owned by this model; ends with the decoding.
        posterWork = OwnedTask(
            Task { [weak self] in
                _ = await container.poster
                guard let self, !Task.isCancelled else { return }
                self.posterWork = nil
                self.change { self.postersMade += 1 }
            })
    }

    /// The error of the last load; nil again when a load starts.
    public var error: PipelineError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }

    // MARK: - Commands

    /// Loads a request in place of the previous one; nil only resets.
    ///
    /// An image in memory takes the place of the previous one in a single change.
    public func load(_ request: ImageRequest?) {
        guard let request, pipeline.memoryCached(completed(request)) != nil else {
            reset()
            source = request
            return fetch()
        }
        drop()
        source = request
        waiters.end(.failure(.cancelled))
        start()
    }

    /// Loads a URL in place of the previous request; nil only resets.
    public func load(_ url: URL?) { load(url.map { ImageRequest(url: $0) }) }

    /// Starts the load unless it is in progress or done; retries a failed or cancelled one.
    ///
    /// If the image is the one for constrained networks, the other one is loaded as soon as the
    /// network is unconstrained.
    public func fetch() {
        guard handle == nil, source != nil else { return }
        if case .success = result {
            guard isLowData else { return }
            watch = nil
            watchConditions()
        } else {
            start()
        }
    }

    /// Loads again, whatever the state; the image stays until there is a new one.
    ///
    /// The caches may answer unless the request's options forbid it.
    public func reload() {
        guard source != nil else { return }
        watch = nil
        start()
    }

    /// Cancels the load; the image stays, and `fetch()` starts again.
    public func cancel() {
        drop()
        change { self.isLoading = false }
        waiters.end(.failure(.cancelled))
    }

    /// Cancels the load and clears all state.
    public func reset() {
        drop()
        source = nil
        change { self.clear() }
        waiters.end(.failure(.cancelled))
    }

    /// Ends the load without a change of what is shown.
    private func drop() {
        handle = nil
        watch = nil
        calls.drop()
    }

    /// Uses another pipeline from the next load on.
    func use(_ pipeline: ImagePipeline) {
        // Setting the pipeline would restart the current load.
        let current = source
        source = nil
        self.pipeline = pipeline
        source = current
    }

    /// Loads another request and keeps the image until there is a new one.
    func replace(with request: ImageRequest) {
        source = request
        reload()
    }

    func change(_ body: () -> Void) {
        if let transaction { transaction(body) } else { body() }
        phaseListeners.tell { phase }
    }

    private var hasBegun: Bool { source != nil && (handle != nil || result != nil) }

    private func clear() {
        container = nil
        result = nil
        isLoading = false
        progress = Progress()
        cacheType = nil
        isLowData = false
    }
}
