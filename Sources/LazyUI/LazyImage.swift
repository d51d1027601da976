public import FoundationEssentials
public import LazyBytes
internal import LazyLoading
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
    /// Where the picture comes from.
    public private(set) var source: ImageRequest?
    /// How it loads and lies; read when a load begins, what concerns drawing at once.
    public var options: LazyImageOptions
    /// The player, once the answer is known to be animated.
    public private(set) var playback: Playback?
    /// What is known of the picture; there before its playing frames are.
    public private(set) var info: ImageInfo?
    /// Whether it is in sight.
    public private(set) var isVisible = false

    /// Called when there is news: the first of these is made before any pixel is drawn.
    @ObservationIgnored public var onInfo: (@MainActor (ImageInfo) -> Void)?
    /// Called when animations have played as often as they are to.
    @ObservationIgnored public var onFinished: (@MainActor () -> Void)?

    /// What loads: the way to everything that is not offered here.
    @ObservationIgnored public let fetch: FetchImage
    private let pool: FramePool
    private let clock: any SteadyClock
    private let drive: Playback.Drive
    /// When the picture came into sight; nil where it was there at once.
    private var arrival: Duration?
    @ObservationIgnored private var conditions: (any NetworkConditioning)?
    @ObservationIgnored private var lowData: ImageRequest?

    /// Makes a model of a request, or of nothing yet.
    public init(
        request: ImageRequest?, options: LazyImageOptions = .current,
        pipeline: ImagePipeline, pool: FramePool = .shared,
        clock: any SteadyClock = SystemSteadyClock(), drive: Playback.Drive = .automatic
    ) {
        self.options = options
        self.pool = pool
        self.clock = clock
        self.drive = drive
        source = request
        fetch = FetchImage(pipeline: pipeline)
        listen()
        if options.load.contains(.loadImmediately) { load() } else { showCached() }
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

    /// Makes a model of what the memory cache has, or nil where it has nothing.
    ///
    /// For what cannot wait, such as a widget or a template: prefetch, then make it of this.
    public static func cached(
        _ request: ImageRequest, options: LazyImageOptions = .current,
        pipeline: ImagePipeline
    ) -> LazyImage? {
        let image = LazyImage(request: request, options: options, pipeline: pipeline)
        return image.fetch.container == nil ? nil : image
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
    public var phase: LoadPhase {
        switch fetch.result {
        case .success(let response): return .success(response.container)
        case .failure(let error):
            return .failure(error) { [weak self] in self?.retry() }
        case nil:
            if let container = fetch.container {
                return container.isPreview ? .preview(container) : .success(container)
            }
            return fetch.isLoading ? .inProgress(fetch.progress) : .empty
        }
    }

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
        isVisible = true
        playback?.isOnScreen = true
        if fetch.isLoading { fetch.priority = priority }
        let begins: LazyImageOptions.LoadOptions = [.loadOnAppear, .cancelOnDisappear]
        if !options.load.isDisjoint(with: begins), isUnfinished { load() }
    }

    /// It is out of sight: its animation stands still, its load ends or falls behind.
    public func onDisappear() {
        isVisible = false
        playback?.isOnScreen = false
        guard fetch.isLoading else { return }
        if options.load.contains(.cancelOnDisappear) {
            fetch.cancel()
        } else if options.load.contains(.lowerPriorityOnDisappear) {
            fetch.priority = .veryLow
        }
    }

    /// Begins to load, unless that is under way or done.
    public func load() {
        guard let source else { return }
        fetch.priority = priority
        if fetch.source != nil { return fetch.fetch() }
        guard let conditions, let lowData else { return fetch.load(request(source)) }
        fetch.load(regular: request(source), lowData: request(lowData), conditions: conditions)
    }

    /// Whether there is neither a load nor its picture: it never began, was cancelled, or failed.
    private var isUnfinished: Bool {
        if case .success = fetch.result { return false }
        return !fetch.isLoading
    }

    /// That of the options; where they say nothing, the request's own.
    private var priority: Priority {
        options.priority == .normal ? source?.priority ?? .normal : options.priority
    }

    /// Begins a failed load anew.
    public func retry() { fetch.fetch() }

    /// Shows another picture in place of the one before; nil for none.
    public func setSource(_ request: ImageRequest?) {
        forget()
        source = request
        if isVisible || options.load.contains(.loadImmediately) { load() } else { showCached() }
    }

    /// Shows another picture on constrained networks.
    public func setLowData(_ request: ImageRequest, conditions: any NetworkConditioning) {
        let wasBegun = fetch.source != nil
        forget()
        lowData = request
        self.conditions = conditions
        if wasBegun { load() }
    }

    private func forget() {
        fetch.reset()
        playback = nil
        info = nil
        arrival = nil
    }

    /// What the memory cache has is shown before anything is asked for.
    private func showCached() {
        guard let source, fetch.pipeline.memoryCached(request(source)) != nil else { return }
        load()
    }

    private func request(_ source: ImageRequest) -> ImageRequest {
        var request = source
        if !options.processors.isEmpty { request.processors = options.processors }
        if let policy = options.fetchPolicy { request.loadRequest?.policy = policy }
        if let delay = options.downloadDelay { request.downloadDelay = delay }
        for field in options.headers.fields {
            request.loadRequest?.headers[field.name] = field.value
        }
        if options.showsPreviews { request.options.insert(.progressive) }
        if let side = options.maxPixelSize {
            request.thumbnail = ImageRequest.ThumbnailOptions(maxPixelSize: side)
        }
        if let thumbnail = options.thumbnail { request.thumbnail = thumbnail }
        if let identifier = options.identifier { request.imageID = identifier }
        return request
    }

    private func listen() {
        fetch.onContainer = { [weak self] container in self?.show(container) }
    }

    private func show(_ container: ImageContainer) {
        let isFirst = info == nil
        let info = ImageInfo(container)
        self.info = info
        onInfo?(info)
        if isFirst, fetch.cacheType != .memory || options.transition.includesCached {
            arrival = clock.now
        }
        guard info.isAnimated, options.isAnimationEnabled else { return playback = nil }
        if let playback { return playback.update(with: container) }
        let playback = Playback(
            container, looping: options.looping, autoplay: false, drive: drive, pool: pool,
            clock: clock)
        playback.isOnScreen = isVisible || options.load.contains(.loadImmediately)
        playback.onFinished = { [weak self] in self?.onFinished?() }
        playback.play()
        self.playback = playback
    }
}
