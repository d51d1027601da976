public import FoundationEssentials
public import LazyMedia
public import LazyPipeline
public import Observation

/// Loads one picture and publishes what becomes of it.
///
/// Starts at once when it is made with a request, and by `load(_:)` otherwise; releasing it
/// cancels the load. What the memory cache has is there before the initializer returns.
///
/// ```swift
/// let image = FetchImage(url: url, pipeline: pipeline)
/// withObservationTracking { show(image.image, image.progress) } onChange: { redraw() }
/// ```
///
/// Callbacks of a load that an initializer began, or that the memory cache answered, come in the
/// next turn of the main actor: what is set right behind the initializer is called.
@MainActor @Observable
public final class FetchImage: Identifiable {
    /// How much has arrived.
    public typealias Progress = ImageTask.Progress
    /// How a load ended.
    public typealias Outcome = Result<ImageResponse, PipelineError>

    /// The picture with its frames: a preview's while more is to come.
    public internal(set) var container: ImageContainer?
    /// How the last load ended; nil before that, and again when a load begins.
    public internal(set) var result: Outcome?
    /// Whether a load is under way.
    public internal(set) var isLoading = false
    /// How much has arrived.
    public internal(set) var progress = Progress()
    /// Which cache answered the last load, or nil for the source.
    public internal(set) var cacheType: CacheType?
    /// Whether the picture comes from the address for constrained networks.
    public internal(set) var isLowData = false

    /// What is done to each frame of requests that bring no processors of their own.
    ///
    /// Others than before begin such a load anew; the picture stays until there is another.
    public var processors: [any ImageProcessing] = [] {
        didSet {
            guard processors.map(\.identifier) != oldValue.map(\.identifier) else { return }
            if let source, source.processors.isEmpty, hasBegun { reload() }
        }
    }

    /// How urgent the load is; may be set while it runs.
    public var priority: Priority = .normal {
        didSet { handle?.task.priority = priority }
    }

    /// Makes the changes to what is published, such as inside an animation of a toolkit.
    ///
    /// It has to call the closure once, before it returns.
    @ObservationIgnored public var transaction: (@MainActor (_ change: () -> Void) -> Void)?
    /// Called when a load begins, with its task; not where the memory cache answers.
    @ObservationIgnored public var onStart: (@MainActor (ImageTask) -> Void)?
    /// Called with each preview.
    @ObservationIgnored public var onPreview: (@MainActor (ImageResponse) -> Void)?
    /// Called when bytes have arrived.
    @ObservationIgnored public var onProgress: (@MainActor (Progress) -> Void)?
    /// Called when the picture is there.
    @ObservationIgnored public var onSuccess: (@MainActor (ImageResponse) -> Void)?
    /// Called when a load fails; not when it is cancelled by `cancel()`.
    @ObservationIgnored public var onFailure: (@MainActor (PipelineError) -> Void)?
    /// Called when a load has ended, either way; not when it is cancelled by `cancel()`.
    @ObservationIgnored public var onCompletion: (@MainActor (Outcome) -> Void)?

    /// What loads; another one begins the load anew.
    @ObservationIgnored public var pipeline: ImagePipeline {
        didSet { if pipeline !== oldValue, hasBegun { reload() } }
    }
    /// Told by the model above of each container before it is published, and while it is.
    @ObservationIgnored weak var listener: (any ContainerListening)?
    @ObservationIgnored var source: ImageRequest?
    @ObservationIgnored var handle: LoadHandle?
    @ObservationIgnored var watch: ConditionsWatch?
    /// Whether the load under way is for the better picture of one for low data.
    @ObservationIgnored var isUpgrading = false
    /// Whether the constraint ended while a load was under way.
    @ObservationIgnored var isUpgradeWanted = false
    @ObservationIgnored let calls = PendingCalls()
    @ObservationIgnored let waiters = LoadWaiters()
    @ObservationIgnored let phaseListeners = PhaseListeners()
    /// Decodes a poster that was not decoded ahead.
    @ObservationIgnored private var posterWork: OwnedTask?
    /// Told when that is done.
    private var postersMade = 0

    /// Makes a model that waits for `load(_:)`.
    public init(pipeline: ImagePipeline) { self.pipeline = pipeline }

    /// Begins to load a request.
    public convenience init(request: ImageRequest, pipeline: ImagePipeline) {
        self.init(pipeline: pipeline)
        calls.holdingBack { load(request) }
    }

    /// Begins to load an address.
    public convenience init(url: URL, pipeline: ImagePipeline) {
        self.init(request: ImageRequest(url: url), pipeline: pipeline)
    }

    /// The picture: the poster of what has been loaded, or of the last preview.
    ///
    /// Never blocks: a poster that was not decoded ahead (`.skipDecompression`) is nil at first, is
    /// decoded elsewhere from the first look on, and then told of as any change is.
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

    /// Why the last load failed; nil again when a load begins.
    public var error: PipelineError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }

    // MARK: - Commands

    /// Loads a request in place of the one before; nil only resets.
    public func load(_ request: ImageRequest?) {
        reset()
        source = request
        fetch()
    }

    /// Loads an address in place of the one before; nil only resets.
    public func load(_ url: URL?) { load(url.map { ImageRequest(url: $0) }) }

    /// Loads, unless that is under way or done; begins a failed or cancelled load anew.
    ///
    /// Where the picture is the one for constrained networks, the other is loaded once they are not,
    /// at once where they are not now.
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

    /// Loads again, whatever is there or under way; the picture stays until there is another.
    ///
    /// The caches may answer, unless the request says otherwise.
    public func reload() {
        guard source != nil else { return }
        watch = nil
        start()
    }

    /// Ends the load; what has been shown stays, and `fetch()` begins anew.
    public func cancel() {
        handle = nil
        watch = nil
        calls.drop()
        change { self.isLoading = false }
        waiters.end(.failure(.cancelled))
    }

    /// Ends the load and forgets all that was loaded.
    public func reset() {
        handle = nil
        watch = nil
        source = nil
        calls.drop()
        change { self.clear() }
        waiters.end(.failure(.cancelled))
    }

    /// Loads with another pipeline from the next load on.
    func use(_ pipeline: ImagePipeline) {
        // The load of the one before would be begun anew by setting the other.
        let begun = source
        source = nil
        self.pipeline = pipeline
        source = begun
    }

    /// Loads another request, and keeps the picture until there is another.
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
