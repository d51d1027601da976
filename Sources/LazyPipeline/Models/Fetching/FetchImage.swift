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

    /// The processors of requests that have none.
    ///
    /// A change restarts such a load; the image stays until there is a new one.
    public var processors: [any ImageProcessing] = [] {
        didSet {
            guard processors.map(\.identifier) != oldValue.map(\.identifier) else { return }
            if let source = machine.source, source.processors.isEmpty, machine.hasBegun { reload() }
        }
    }

    /// The priority of the load; may be set while it runs.
    public var priority: Priority = .normal {
        didSet { task?.priority = priority }
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

    @ObservationIgnored var machine = LoadMachine()
    /// Whether a published property was read, without which nobody observes one.
    @ObservationIgnored var isRead = false
    /// What shows the image.
    @ObservationIgnored weak var observer: (any FetchObserving)?
    /// The pipeline of the next load.
    @ObservationIgnored var loader: ImagePipeline
    @ObservationIgnored var task: ImageTask?
    /// Reads the events of the task.
    @ObservationIgnored var reader: OwnedTask?
    /// Waits for the end of the network's constraint.
    @ObservationIgnored var watch: OwnedTask?
    /// The callbacks that are made in the next turn of the main actor.
    @ObservationIgnored var pending: PendingCalls?
    @ObservationIgnored var waiters: [AsyncStream<Outcome>.Continuation] = []
    @ObservationIgnored var phaseListeners: [AsyncStream<LoadPhase>.Continuation] = []
    /// Decodes a poster that the load did not decode.
    @ObservationIgnored private var posterWork: OwnedTask?

    /// Creates a model that loads nothing until `load(_:)` is called.
    public init(pipeline: ImagePipeline) { loader = pipeline }

    /// Starts to load a request.
    public convenience init(request: ImageRequest, pipeline: ImagePipeline) {
        self.init(pipeline: pipeline)
        load(request, cached: cached(request), isInitial: true)
    }

    /// Starts to load a URL.
    public convenience init(url: URL, pipeline: ImagePipeline) {
        self.init(request: ImageRequest(url: url), pipeline: pipeline)
    }

    deinit {
        task?.cancel()
        for listener in phaseListeners { listener.finish() }
    }

    // MARK: - State

    /// The image with its frames; a preview while more bytes are to come.
    public var container: ImageContainer? { observed(\.container).container }
    /// How the last load ended; nil while there is none, and again when a load starts.
    public var result: Outcome? { observed(\.result).result }
    /// Whether a load is in progress.
    public var isLoading: Bool { observed(\.isLoading).isLoading }
    /// The progress of the download.
    public var progress: Progress { observed(\.progress).progress }
    /// The cache that answered the last load, or nil for the source.
    public var cacheType: CacheType? { observed(\.result).cacheType }
    /// Whether the image comes from the URL for constrained networks.
    public var isLowData: Bool { observed(\.result).isLowData }

    /// The error of the last load; nil again when a load starts.
    public var error: PipelineError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }

    /// The poster of the loaded image or of the last preview.
    ///
    /// Never blocks: a poster that the load did not decode (`.skipDecompression`) is nil at first, is
    /// decoded in the background after the first access, and then published like any change.
    public var image: Bitmap? {
        access(keyPath: \.image)
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
                self.change { self.withMutation(keyPath: \.image) {} }
            })
    }

    /// The state, of which a property is read.
    @inline(__always)
    private func observed<Value>(_ property: KeyPath<FetchImage, Value>) -> LoadMachine {
        isRead = true
        access(keyPath: property)
        return machine
    }

    // MARK: - Commands

    /// The pipeline that loads; a change restarts the load.
    public var pipeline: ImagePipeline {
        get { loader }
        set {
            guard newValue !== loader else { return }
            loader = newValue
            if machine.hasBegun { reload() }
        }
    }

    /// Loads a request in place of the previous one; nil only resets.
    ///
    /// An image in memory takes the place of the previous one in a single change.
    public func load(_ request: ImageRequest?) {
        guard let request else { return reset() }
        load(request, cached: cached(request))
    }

    /// Loads a URL in place of the previous request; nil only resets.
    public func load(_ url: URL?) { load(url.map { ImageRequest(url: $0) }) }

    /// Starts the load unless it is in progress or done; retries a failed or cancelled one.
    ///
    /// If the image is the one for constrained networks, the other one is loaded as soon as the
    /// network is unconstrained.
    public func fetch() {
        guard !machine.isLoading else { return }
        if case .success = machine.result {
            guard machine.isLowData else { return }
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
        watch = nil
        start()
    }

    /// Cancels the load; the image stays, and `fetch()` starts again.
    public func cancel() {
        endWaiting()
        apply { $0.cancel() }
    }

    /// Cancels the load and clears all state.
    public func reset() {
        endWaiting()
        apply { $0.reset() }
    }
}
