public import FoundationEssentials
internal import LazyBytes
internal import LazyLoading
public import LazyPipeline

extension LazyImage {
    /// Begins to load, unless that is under way or done; begins a failed load anew.
    public func load() {
        isWanted = true
        begin()
    }

    /// Begins a failed load anew.
    public func retry() { load() }

    /// Loads again, whatever is there or under way; the picture stays until there is another.
    public func reload() {
        guard let source, fetch.source != nil else { return load() }
        isWanted = true
        isReplacing = true
        fetch.replace(with: request(source))
    }

    /// The answer, once it is there; begins the load where none has begun.
    ///
    /// A load that has failed throws why; `retry()` begins it anew. Throws `.cancelled` where the
    /// load is cancelled, such as out of sight, or gives way to another source, and where the task
    /// that waits is cancelled; then the load goes on. Options that change meanwhile are waited for.
    @discardableResult
    public func loaded() async throws(PipelineError) -> ImageResponse {
        if fetch.source == nil { load() }
        return try await fetch.loaded()
    }

    /// Shows another picture in place of the one before; nil for none.
    public func setSource(_ request: ImageRequest?) {
        forget()
        fetch.change { source = request }
        if isVisible || options.load.contains(.loadImmediately) { load() } else { showCached() }
    }

    /// Loads an address with fewer bytes on constrained networks; nil for none.
    ///
    /// Like `lowDataURL` of the request that is the source: when the constraint ends the picture
    /// itself is loaded.
    @discardableResult
    public func lowData(_ url: URL?) -> LazyImage {
        guard source != nil, source?.lowDataURL != url else { return self }
        source?.lowDataURL = url
        didChangeRequest()
        return self
    }

    /// That of the options; where they say nothing, the request's own.
    var priority: Priority {
        options.priority == .normal ? source?.priority ?? .normal : options.priority
    }

    private func begin() {
        guard let source else { return }
        fetch.priority = priority
        if fetch.source != nil { fetch.fetch() } else { fetch.load(request(source)) }
    }

    private func forget() {
        isWanted = false
        isReplacing = false
        fetch.reset()
        fetch.change {
            playback = nil
            info = nil
            arrival = nil
        }
    }

    /// What the memory cache has is shown before anything is asked for.
    func showCached() {
        guard let source, fetch.pipeline.memoryCached(request(source)) != nil else { return }
        fetch.calls.holdingBack { begin() }
    }

    // MARK: - Options that change

    func didChangeOptions(from old: LazyImageOptions) {
        if options.priority != old.priority, fetch.isLoading { fetch.priority = priority }
        if options.looping != old.looping { playback?.looping = options.looping }
        if options.isAnimationEnabled != old.isAnimationEnabled, let container = fetch.container {
            fetch.change { play(container) }
        }
        let pipeline = options.pipeline ?? fetch.pipeline
        if pipeline !== fetch.pipeline || !options.wantsSamePicture(as: old) {
            if pipeline !== fetch.pipeline { fetch.use(pipeline) }
            didChangeRequest()
        } else if let source, fetch.source != nil {
            // For whoever asks next.
            fetch.source = request(source)
        }
    }

    /// Asks for the picture anew where somebody wants it, else shows what the memory cache has.
    private func didChangeRequest() {
        let isAsked = isWanted || options.load.contains(.loadImmediately)
        if isAsked, fetch.source != nil { return reload() }
        if fetch.source != nil { forget() }
        showCached()
    }

    func request(_ source: ImageRequest) -> ImageRequest {
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
}

extension LazyImageOptions {
    /// Whether a picture that was loaded with the others is the one these want.
    fileprivate func wantsSamePicture(as other: LazyImageOptions) -> Bool {
        processors.map(\.identifier) == other.processors.map(\.identifier)
            && headers == other.headers && maxPixelSize == other.maxPixelSize
            && thumbnail == other.thumbnail && identifier == other.identifier
    }
}

// MARK: - What has been loaded

extension LazyImage: ContainerListening {
    func willPublish(_ container: ImageContainer, from cacheType: CacheType?) {
        let isFirst = info == nil
        let info = ImageInfo(container)
        fetch.change {
            self.info = info
            if isFirst, cacheType != .memory || options.transition.includesCached {
                arrival = clock.now
            }
        }
        fetch.calls.make { [weak self] in self?.onInfo?(info) }
    }

    func isPublishing(_ container: ImageContainer) {
        if isReplacing { playback = nil }
        isReplacing = false
        play(container)
    }

    private func play(_ container: ImageContainer) {
        guard container.isAnimated, options.isAnimationEnabled else { return playback = nil }
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
