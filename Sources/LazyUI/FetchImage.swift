public import FoundationEssentials
public import LazyMedia
public import LazyPipeline
public import Observation

/// Loads one picture and publishes what becomes of it.
///
/// Starts at once when it is made with a request, and by `load(_:)` otherwise; releasing it
/// cancels the load. What the memory cache has is there before the initialiser returns.
///
/// ```swift
/// let image = FetchImage(url: url, pipeline: pipeline)
/// withObservationTracking { show(image.image, image.progress) } onChange: { redraw() }
/// ```
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
    public var processors: [any ImageProcessing] = []

    /// How urgent the load is; may be set while it runs.
    public var priority: Priority = .normal {
        didSet { handle?.task.priority = priority }
    }

    /// Makes the changes to what is published, such as inside an animation of a toolkit.
    @ObservationIgnored public var transaction: (@MainActor (_ change: () -> Void) -> Void)?
    /// Called when a load begins, with its task.
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

    /// What loads.
    @ObservationIgnored public let pipeline: ImagePipeline
    /// Called with each container before the others are told, by the model above.
    @ObservationIgnored var onContainer: (@MainActor (ImageContainer) -> Void)?
    @ObservationIgnored var source: Source?
    @ObservationIgnored var handle: LoadHandle?
    /// Whether the picture with fewer bytes took the place of the other.
    @ObservationIgnored var isFallenBack = false
    @ObservationIgnored var watch: ConditionsWatch?
    /// Decodes a poster that was not decoded ahead.
    @ObservationIgnored private var posterWork: OwnedTask?
    /// Told when that is done.
    private var postersMade = 0

    /// Makes a model that waits for `load(_:)`.
    public init(pipeline: ImagePipeline) { self.pipeline = pipeline }

    /// Begins to load a request.
    public convenience init(request: ImageRequest, pipeline: ImagePipeline) {
        self.init(pipeline: pipeline)
        load(request)
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

    /// Loads a request in place of the one before; nil only resets.
    public func load(_ request: ImageRequest?) {
        load(request.map(Source.request))
    }

    /// Loads an address in place of the one before; nil only resets.
    public func load(_ url: URL?) { load(url.map { ImageRequest(url: $0) }) }

    /// Loads, unless that is under way or done; begins a failed or cancelled load anew.
    public func fetch() {
        guard handle == nil, let source else { return }
        if case .success = result, !isLowData { return }
        isFallenBack = false
        watchConditions()
        start(source.request(isLowData: false), isLowData: false)
    }

    /// Ends the load; what has been shown stays, and `fetch()` begins anew.
    public func cancel() {
        handle = nil
        watch = nil
        change { self.isLoading = false }
    }

    /// Ends the load and forgets all that was loaded.
    public func reset() {
        handle = nil
        watch = nil
        source = nil
        change { self.clear() }
    }

    func load(_ source: Source?) {
        reset()
        self.source = source
        fetch()
    }

    func change(_ body: () -> Void) {
        guard let transaction else { return body() }
        transaction(body)
    }

    private func clear() {
        container = nil
        result = nil
        isLoading = false
        progress = Progress()
        cacheType = nil
        isLowData = false
    }
}
