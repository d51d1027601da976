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
        guard let source, fetch.machine.source != nil else { return load() }
        isWanted = true
        isReplacing = true
        fetch.machine.source = options.identified(source)
        fetch.reload()
    }

    /// The response, once it is there; starts the load if none has been started.
    ///
    /// Throws the error of a failed load; `retry()` starts it again. Throws `.cancelled` if the
    /// load is cancelled, for example by `onDisappear()`, or replaced by another source, or if the
    /// waiting task is cancelled, in which case the load continues. Waits for changed options too.
    @discardableResult
    public func loaded() async throws(PipelineError) -> ImageResponse {
        if fetch.machine.source == nil { load() }
        return try await fetch.loaded()
    }

    /// Shows another image; nil for none.
    ///
    /// A request for the same image, to be loaded in the same way, changes at most the priority: `reload()`
    /// loads again. An image in memory takes the place of the previous one in a single change.
    public func setSource(_ request: ImageRequest?) {
        if let request, let source, request.isEquivalent(to: source) {
            self.source = request
            if fetch.machine.isLoading { fetch.priority = priority }
            return
        }
        isWanted = isVisible || options.load.contains(.loadImmediately)
        show(request, options)
    }

    /// Shows a source at once if its image is in memory, else when it is loaded, if that is wanted.
    ///
    /// An image in memory takes the place of the present one in a single change.
    func show(
        _ source: ImageRequest?, _ options: LazyImageOptions, isInitial: Bool = false
    ) {
        let request = source.map(options.identified)
        let cached = request.flatMap(fetch.cached)
        if !isInitial {
            isReplacing = fetch.machine.container != nil && cached?.isPreview == false
            if !isReplacing, fetch.machine.source != nil { fetch.reset() }
            fetch.change {
                self.source = source
                arrival = isReplacing && options.transition.includesCached ? clock.now : nil
            }
        }
        guard let request, cached != nil || isWanted else { return }
        if !isInitial || priority != .normal { fetch.priority = priority }
        fetch.load(request, cached: cached, isInitial: isInitial)
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
        if fetch.machine.source != nil {
            fetch.fetch()
        } else {
            fetch.load(options.identified(source))
        }
    }

    // MARK: - Options that change

    func didChangeOptions(from old: LazyImageOptions) {
        if options.priority != old.priority, fetch.machine.isLoading { fetch.priority = priority }
        if options.looping != old.looping { playback?.looping = options.looping }
        if options.isAnimationEnabled != old.isAnimationEnabled,
            let container = fetch.machine.container
        {
            fetch.change { play(container) }
        }
        let pipeline = options.pipeline ?? fetch.loader
        let isOther = pipeline !== fetch.loader
        fetch.loader = pipeline
        if isOther || !options.identifiesSameImage(as: old) { didChangeRequest() }
    }

    /// Reloads the image if a load was requested, else shows one from the memory cache.
    private func didChangeRequest() {
        let isAsked = isWanted || options.load.contains(.loadImmediately)
        if isAsked, fetch.machine.source != nil { return reload() }
        isWanted = false
        show(source, options)
    }

    // MARK: - Loaded images

    /// An image is about to be published; that of a hit is reported in the next turn.
    func willShow(_ response: ImageResponse, isHit: Bool) {
        let isFirst = fetch.machine.container == nil
        let fadesIn =
            isFirst && (response.cacheType != .memory || options.transition.includesCached)
        if isHit, !fadesIn { return }
        fetch.change {
            if !isHit { upcoming = response.container }
            if fadesIn { arrival = clock.now }
        }
        if !isHit { reportInfo(of: response.container) }
    }

    func reportInfo(of container: ImageContainer) {
        if let onInfo { onInfo(ImageInfo(container)) }
    }

    /// The image is being published, in the same change, or none is there any longer.
    func didShow(_ container: ImageContainer?) {
        if upcoming != nil { upcoming = nil }
        if container == nil || isReplacing, playback != nil { playback = nil }
        isReplacing = false
        if let container { play(container) }
    }

    private func play(_ container: ImageContainer) {
        guard container.isAnimated, options.isAnimationEnabled else {
            if playback != nil { playback = nil }
            return
        }
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

extension LazyImage: FetchObserving {
    func complete(_ request: inout ImageRequest) { options.complete(&request) }
}
