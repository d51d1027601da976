public import FoundationEssentials
public import LazyBase
public import LazyMedia
public import Observation

/// The state of an image in a user interface, independent of any toolkit.
///
/// It loads when it appears, shows a placeholder, previews, the poster and then the
/// playing frames, and notifies observers of each change. A toolkit calls `onAppear()` and
/// `onDisappear()`, observes `phase` and `image`, and draws `image` in `frame(in:)`.
///
/// ```swift
/// let picture = LazyImage("https://example.com/cat.gif", pipeline: pipeline)
///     .transition(.fadeIn())
/// picture.onAppear()
/// ```
@MainActor @Observable
public final class LazyImage: Identifiable {
    /// The request of the image; `setSource(_:)` changes it.
    public internal(set) var source: ImageRequest?
    /// The options of loading and layout; `LazyImageOptions` says when a change applies.
    public var options: LazyImageOptions { didSet { didChangeOptions(from: oldValue) } }
    /// The player, once the image is known to be animated.
    public internal(set) var playback: Playback?
    /// Whether the image is visible.
    public private(set) var isVisible = false

    /// Called when `info` changes; the first call is made before any pixel is drawn.
    ///
    /// For an image in the memory cache it is called in the next turn of the main actor.
    @ObservationIgnored public var onInfo: (@MainActor (ImageInfo) -> Void)?
    /// Called when the animation has finished its last play.
    @ObservationIgnored public var onFinished: (@MainActor () -> Void)?

    /// The model that loads, for everything that `LazyImage` does not expose.
    @ObservationIgnored public let fetch: FetchImage
    let pool: FramePool
    let clock: any SteadyClock
    let drive: Playback.Drive
    /// When the image appeared; nil if it was there from the start.
    var arrival: Duration?
    /// An image that is about to be published.
    var upcoming: ImageContainer?
    /// Whether a load was requested, and not only an image from the memory cache.
    @ObservationIgnored var isWanted = false
    /// Whether the next container is a new image, not more of the current one.
    @ObservationIgnored var isReplacing = false

    /// Creates a model of a request, or without one.
    public init(
        request: ImageRequest?, options: LazyImageOptions = .current,
        pipeline: ImagePipeline, pool: FramePool = .shared,
        clock: any SteadyClock = SystemSteadyClock(), drive: Playback.Drive = .automatic
    ) {
        var options = options
        options.pipeline = pipeline
        self.options = options
        self.pool = pool
        self.clock = clock
        self.drive = drive
        source = request
        fetch = FetchImage(pipeline: pipeline)
        fetch.observer = self
        isWanted = options.load.contains(.loadImmediately)
        show(request, options, isInitial: true)
    }

    /// Creates a model of a URL.
    public convenience init(
        url: URL?, options: LazyImageOptions = .current, pipeline: ImagePipeline
    ) {
        self.init(
            request: url.map { ImageRequest(url: $0) }, options: options, pipeline: pipeline)
    }

    /// Creates a model of a URL string; an invalid one fails when it is loaded.
    public convenience init(
        _ source: String, options: LazyImageOptions = .current, pipeline: ImagePipeline
    ) {
        self.init(request: ImageRequest(string: source), options: options, pipeline: pipeline)
    }

    /// Creates a model of a cached image, or returns nil without a load.
    ///
    /// For widgets, templates or the first paint, which cannot wait: prefetch, then create the model
    /// with this. An image that is only on disk is read and decoded on the calling thread, which takes
    /// milliseconds (`ImagePipeline.Cache.cachedImage`); with `.memory` the disk is not read. Stored
    /// responses of any age count. The image is there at once, and does not fade in.
    public static func cached(
        _ request: ImageRequest, caches: ImagePipeline.Cache.Caches = .all,
        options: LazyImageOptions = .current, pipeline: ImagePipeline
    ) -> LazyImage? {
        var options = options
        options.load.remove(.loadImmediately)
        let image = LazyImage(request: nil, options: options, pipeline: pipeline)
        image.source = request
        let fetch = image.fetch
        var wanted = options.identified(request)
        if caches.contains(.memory), let found = fetch.cached(wanted), !found.isPreview {
            image.isWanted = true
            fetch.load(wanted, cached: found)
            return image
        }
        options.complete(&wanted)
        wanted.options.insert(.returnCacheDataDontLoad)
        let disk = caches.subtracting(.memory)
        guard let container = pipeline.cache.cachedImage(for: wanted, caches: disk) else {
            return nil
        }
        fetch.machine.source = options.identified(request)
        fetch.apply {
            $0.show(ImageResponse(container: container, request: request, cacheType: .disk))
        }
        image.arrival = nil
        return image
    }

    /// Passes the model to a closure, to configure its parts.
    ///
    /// ```swift
    /// LazyImage(address, pipeline: pipeline).onCreated { $0.fetch.onStart = { log($0.id) } }
    /// ```
    @discardableResult
    public func onCreated(_ body: @MainActor (LazyImage) -> Void) -> LazyImage {
        body(self)
        return self
    }

    // MARK: - State

    /// What is known of the image; set before its first frame is decoded.
    public var info: ImageInfo? { (upcoming ?? fetch.container).map(ImageInfo.init) }

    /// What the view is to show.
    public var phase: LoadPhase { fetch.phase }

    /// The current phase and each one that follows; each call returns a new stream.
    ///
    /// A phase that is not read in time is replaced by the next one, so that the last one always
    /// arrives. The stream does not retain the model; it ends when the model is released or when the
    /// reading task is cancelled.
    public var phases: AsyncStream<LoadPhase> { fetch.phases }

    /// Whether a load is in progress.
    public var isLoading: Bool { fetch.isLoading }

    /// The progress of the download.
    public var progress: ImageTask.Progress { fetch.progress }

    /// The error of the last load; nil again when a load starts.
    public var error: PipelineError? { fetch.error }

    /// Whether the image comes from the URL for constrained networks.
    public var isLowData: Bool { fetch.isLowData }

    /// The image to draw: the current frame, the poster, or the placeholder, by default a gray rectangle.
    public var image: Bitmap? { ownImage ?? options.placeholder }

    /// The image without the placeholder.
    private var ownImage: Bitmap? {
        if case .failure = fetch.result { return options.failureImage ?? fetch.image }
        return playback?.image ?? fetch.image
    }

    /// The frames of the image or of its last preview.
    public var frames: FrameSequence? { fetch.container?.frames }

    /// The opacity of the image at a time of the clock; 1 if it was there from the start.
    public func opacity(at time: Duration) -> Double {
        guard let arrival else { return 1 }
        return options.transition.opacity(after: time - arrival)
    }

    /// The opacity of the image now.
    public var opacity: Double { opacity(at: clock.now) }

    /// The frame of the image within bounds of a size, in the units of the toolkit.
    ///
    /// Nil while there is nothing to draw.
    public func frame(
        in place: (width: Double, height: Double), magnified: Magnification = Magnification()
    ) -> LayoutRect? {
        let own = ownImage
        guard let size = (own ?? options.placeholder)?.size else { return nil }
        let scale = source?.scale ?? 1
        let mode = own == nil && size.pixelCount == 1 ? .fill : options.contentMode
        let rect = mode.frame(
            for: (Double(size.width) / scale, Double(size.height) / scale), in: place)
        return magnified == Magnification() ? rect : magnified.frame(of: rect, in: place)
    }

    // MARK: - Visibility

    /// The view has appeared.
    public func onAppear() {
        fetch.change {
            isVisible = true
            playback?.isOnScreen = true
        }
        if fetch.machine.isLoading { fetch.priority = priority }
        let begins: LazyImageOptions.LoadOptions = [.loadOnAppear, .cancelOnDisappear]
        guard !options.load.isDisjoint(with: begins) else { return }
        if isUnfinished { load() } else { isWanted = true }
    }

    /// The view has disappeared: pauses the animation and cancels or deprioritizes the load.
    public func onDisappear() {
        isWanted = false
        fetch.change {
            isVisible = false
            playback?.isOnScreen = false
        }
        if options.load.contains(.cancelOnDisappear) {
            fetch.cancel()
        } else if fetch.machine.isLoading, options.load.contains(.lowerPriorityOnDisappear) {
            fetch.priority = .veryLow
        }
    }

    /// Whether a load is to be started: there is none, or only the low-data image.
    private var isUnfinished: Bool {
        if case .success = fetch.machine.result { return fetch.machine.isLowData }
        return !fetch.machine.isLoading
    }
}
