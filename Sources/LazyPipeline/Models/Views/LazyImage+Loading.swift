public import FoundationEssentials
internal import LazyBase
internal import LazyLoading

extension LazyImage {
    /// Starts the load unless it is in progress or done; retries a failed one.
    public func load() {
        isWanted = true
        begin()
    }

    /// Retries a failed load.
    public func retry() { load() }

    /// Loads again, whatever the state; the image stays until there is a new one.
    public func reload() {
        guard let source, fetch.source != nil else { return load() }
        isWanted = true
        isReplacing = true
        fetch.replace(with: request(source))
    }

    /// The response, once it is there; starts the load if none has been started.
    ///
    /// Throws the error of a failed load; `retry()` starts it again. Throws `.cancelled` if the
    /// load is cancelled, for example by `onDisappear()`, or replaced by another source, or if the
    /// waiting task is cancelled, in which case the load continues. Waits for changed options too.
    @discardableResult
    public func loaded() async throws(PipelineError) -> ImageResponse {
        if fetch.source == nil { load() }
        return try await fetch.loaded()
    }

    /// Shows another image; nil for none.
    ///
    /// A request for the same image, to be loaded in the same way, changes at most the priority: `reload()`
    /// loads again. An image in memory takes the place of the previous one in a single change.
    public func setSource(_ request: ImageRequest?) {
        if let request, let source, request.isEquivalent(to: source) {
            self.source = request
            if fetch.isLoading { fetch.priority = priority }
            return
        }
        if let request, fetch.container != nil, showAtOnce(request) { return }
        forget()
        fetch.change { source = request }
        if isVisible || options.load.contains(.loadImmediately) { load() } else { showCached() }
    }

    /// Shows an image in memory in place of the present one; false if it is not there.
    private func showAtOnce(_ request: ImageRequest) -> Bool {
        let wanted = self.request(request)
        guard fetch.pipeline.memoryCached(wanted)?.isPreview == false else { return false }
        isWanted = isVisible || options.load.contains(.loadImmediately)
        isReplacing = true
        source = request
        arrival = options.transition.includesCached ? clock.now : nil
        fetch.priority = priority
        fetch.calls.holdingBack { fetch.load(wanted) }
        return true
    }

    /// Sets a smaller URL for constrained networks; nil for none.
    ///
    /// Equals `lowDataURL` of the source request: when the constraint ends, the full image
    /// is loaded.
    @discardableResult
    public func lowData(_ url: URL?) -> LazyImage {
        guard source != nil, source?.lowDataURL != url else { return self }
        source?.lowDataURL = url
        didChangeRequest()
        return self
    }

    /// The priority of the options, or of the request if they set none.
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

    /// Shows an image from the memory cache before any load is requested.
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
            // For the next load.
            fetch.source = request(source)
        }
    }

    /// Reloads the image if a load was requested, else shows one from the memory cache.
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
    /// Whether an image loaded with other options is valid for these.
    fileprivate func wantsSamePicture(as other: LazyImageOptions) -> Bool {
        processors.map(\.identifier) == other.processors.map(\.identifier)
            && headers == other.headers && maxPixelSize == other.maxPixelSize
            && thumbnail == other.thumbnail && identifier == other.identifier
    }
}

// MARK: - Loaded containers

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
