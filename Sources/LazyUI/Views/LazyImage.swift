public import FoundationEssentials
public import LazyBytes
public import LazyMedia
public import LazyPipeline
public import Observation

/// All of a picture's life in a place of a user interface, without a toolkit.
///
/// It loads when it comes into sight, shows a placeholder, previews, the poster and then the
/// playing frames, and tells when there is something to draw. A toolkit calls `onAppear()` and
/// `onDisappear()`, observes `phase` and `image`, and draws `image` in `frame(in:)`.
///
/// ```swift
/// let picture = LazyImage("https://example.com/cat.gif", pipeline: pipeline)
///     .transition(.fadeIn())
/// picture.onAppear()
/// ```
@MainActor @Observable
public final class LazyImage: Identifiable {
    /// Where the picture comes from; `setSource(_:)` changes it.
    public internal(set) var source: ImageRequest?
    /// How it loads and lies; `LazyImageOptions` says when a change applies.
    public var options: LazyImageOptions { didSet { didChangeOptions(from: oldValue) } }
    /// The player, once the answer is known to be animated.
    public internal(set) var playback: Playback?
    /// What is known of the picture; there before its playing frames are.
    public internal(set) var info: ImageInfo?
    /// Whether it is in sight.
    public private(set) var isVisible = false

    /// Called when there is news: the first of these is made before any pixel is drawn.
    ///
    /// That of a picture which the memory cache has comes in the next turn of the main actor.
    @ObservationIgnored public var onInfo: (@MainActor (ImageInfo) -> Void)?
    /// Called when animations have played as often as they are to.
    @ObservationIgnored public var onFinished: (@MainActor () -> Void)?

    /// What loads: the way to everything that is not offered here.
    @ObservationIgnored public let fetch: FetchImage
    let pool: FramePool
    let clock: any SteadyClock
    let drive: Playback.Drive
    /// When the picture came into sight; nil where it was there at once.
    var arrival: Duration?
    /// Whether somebody has asked for the picture, and not for what the memory cache has alone.
    @ObservationIgnored var isWanted = false
    /// Whether the next container is another picture, not more of the one that is shown.
    @ObservationIgnored var isReplacing = false

    /// Makes a model of a request, or of nothing yet.
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
        fetch.listener = self
        fetch.calls.holdingBack {
            if options.load.contains(.loadImmediately) { load() } else { showCached() }
        }
    }

    /// Makes a model of an address.
    public convenience init(
        url: URL?, options: LazyImageOptions = .current, pipeline: ImagePipeline
    ) {
        self.init(
            request: url.map { ImageRequest(url: $0) }, options: options, pipeline: pipeline)
    }

    /// Makes a model of an address in a text; one that is none fails when it is loaded.
    public convenience init(
        _ source: String, options: LazyImageOptions = .current, pipeline: ImagePipeline
    ) {
        self.init(request: ImageRequest(string: source), options: options, pipeline: pipeline)
    }

    /// Makes a model of what the caches have, or nil where they have nothing; loads nothing.
    ///
    /// For what cannot wait, such as a widget, a template or the first paint: prefetch, then make it
    /// of this. What only a disk has is read and decoded on the thread of the caller, which takes some
    /// milliseconds (`ImagePipeline.Cache.cachedImage`); with `.memory` no disk is asked. An answer of
    /// a server counts however old it is. The picture is there at once, and does not fade in.
    public static func cached(
        _ request: ImageRequest, caches: ImagePipeline.Cache.Caches = .all,
        options: LazyImageOptions = .current, pipeline: ImagePipeline
    ) -> LazyImage? {
        var options = options
        options.load.remove(.loadImmediately)
        let image = LazyImage(request: nil, options: options, pipeline: pipeline)
        image.source = request
        let wanted = image.request(request)
        if caches.contains(.memory), pipeline.memoryCached(wanted)?.isPreview == false {
            image.load()
            return image
        }
        var local = wanted
        local.options.insert(.returnCacheDataDontLoad)
        let disk = caches.subtracting(.memory)
        guard let container = pipeline.cache.cachedImage(for: local, caches: disk) else {
            return nil
        }
        image.fetch.show(container, of: wanted)
        image.arrival = nil
        return image
    }

    /// Hands the model to a closure, for what is set on the parts below it.
    ///
    /// ```swift
    /// LazyImage(address, pipeline: pipeline).onCreated { $0.fetch.onStart = { log($0.id) } }
    /// ```
    @discardableResult
    public func onCreated(_ body: @MainActor (LazyImage) -> Void) -> LazyImage {
        body(self)
        return self
    }

    // MARK: - What is shown

    /// What the place is to show.
    public var phase: LoadPhase { fetch.phase }

    /// The phase now, and each one that takes its place; each use is a stream of its own.
    ///
    /// A phase that was not taken in time gives way to the next one, so that the last one always
    /// comes. The stream ends when the model is released, which it does not keep, or when the task
    /// that reads it is cancelled.
    public var phases: AsyncStream<LoadPhase> { fetch.phases }

    /// Whether a load is under way.
    public var isLoading: Bool { fetch.isLoading }

    /// How much has arrived.
    public var progress: ImageTask.Progress { fetch.progress }

    /// Why the last load failed; nil again when a load begins.
    public var error: PipelineError? { fetch.error }

    /// Whether the picture comes from the address for constrained networks.
    public var isLowData: Bool { fetch.isLowData }

    /// The picture to draw: the playing frame, the poster, or what stands for them.
    public var image: Bitmap? {
        if case .failure = fetch.result {
            return options.failurePicture ?? fetch.image ?? options.placeholder
        }
        return playback?.image ?? fetch.image ?? options.placeholder
    }

    /// The frames: of the picture, or of its last preview.
    public var frames: FrameSequence? { fetch.container?.frames }

    /// How opaque the picture is at a time of the clock; 1 where it was there at once.
    public func opacity(at time: Duration) -> Double {
        guard let arrival else { return 1 }
        return options.transition.opacity(after: time - arrival)
    }

    /// How opaque the picture is now.
    public var opacity: Double { opacity(at: clock.now) }

    /// Where the picture lies in a place of a size, in the units of a toolkit.
    ///
    /// Nil while there is nothing to draw.
    public func frame(
        in place: (width: Double, height: Double), magnified: Magnification = Magnification()
    ) -> LayoutRect? {
        guard let size = image?.size else { return nil }
        let scale = source?.scale ?? 1
        let rect = options.contentMode.frame(
            for: (Double(size.width) / scale, Double(size.height) / scale), in: place)
        return magnified == Magnification() ? rect : magnified.frame(of: rect, in: place)
    }

    // MARK: - What happens to it

    /// It has come into sight.
    public func onAppear() {
        fetch.change {
            isVisible = true
            playback?.isOnScreen = true
        }
        if fetch.isLoading { fetch.priority = priority }
        let begins: LazyImageOptions.LoadOptions = [.loadOnAppear, .cancelOnDisappear]
        guard !options.load.isDisjoint(with: begins) else { return }
        if isUnfinished { load() } else { isWanted = true }
    }

    /// It is out of sight: its animation stands still, its load ends or falls behind.
    public func onDisappear() {
        isWanted = false
        fetch.change {
            isVisible = false
            playback?.isOnScreen = false
        }
        if options.load.contains(.cancelOnDisappear) {
            fetch.cancel()
        } else if fetch.isLoading, options.load.contains(.lowerPriorityOnDisappear) {
            fetch.priority = .veryLow
        }
    }

    /// Whether there is neither a load nor its picture, or only the picture for low data.
    private var isUnfinished: Bool {
        if case .success = fetch.result { return fetch.isLowData }
        return !fetch.isLoading
    }
}
