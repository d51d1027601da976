internal import LazyBytes
internal import LazyCache
internal import LazyLoading
internal import LazyMedia
internal import Synchronization
internal import Tracing

/// A picture on its way to the data cache.
final class StoreWork: Sendable {
    /// The number it has in the graph in place of a task's.
    let task: Int
    /// What it will be stored under.
    let key: String
    private let handle = Locked<Task<Void, Never>?>(nil)
    private let removed = Atomic<Bool>(false)

    init(task: Int, key: String) {
        self.task = task
        self.key = key
    }

    /// Whether it was removed from the cache before it had come there.
    var isRemoved: Bool { removed.load(ordering: .acquiring) }

    /// Takes back what is on its way; before the cache is told to remove it.
    func remove() {
        removed.store(true, ordering: .releasing)
        cancel()
    }

    func start(_ body: @escaping @Sendable () async -> Void) {
        let task = Task { await body() }
        handle.withLock { $0 = task }
        if isRemoved { task.cancel() }
    }

    func cancel() { handle.withLock { $0 }?.cancel() }
}

// What is read from and stored in the two caches, and when.
extension ImagePipeline {
    /// The bytes as they came, from the data cache.
    func cachedOriginal(_ request: ImageRequest) async -> Blob? {
        if let url = request.url, isLocal(url) { return nil }
        return await cachedData(request.dataKeyText, request)
    }

    /// The finished picture, encoded, from the data cache: where there may be one.
    func cachedFinished(_ request: ImageRequest) async -> CachedData? {
        guard isFinishedLookUpNeeded(request), let cache = dataCache(for: request) else {
            return nil
        }
        let key = request.encodedKeyText
        let entry = await BlockingPool.disk.run { cache.cachedEntry(for: key) }
        guard let entry, entry.data.count > 0 else { return nil }
        return entry
    }

    /// Whether the data cache may have the finished picture of a request.
    func isFinishedLookUpNeeded(_ request: ImageRequest) -> Bool {
        mayBeStoredFinished(request)
            && request.options.isDisjoint(with: [.disableDiskCacheReads, .reloadIgnoringCachedData])
            && dataCache(for: request) != nil
    }

    /// Whether the policy is to look for the finished picture of a request.
    func mayBeStoredFinished(_ request: ImageRequest) -> Bool {
        request.isFinishedWork || configuration.dataCachePolicy == .storeEncodedImages
    }

    /// Whether the data cache has the bytes as they came, so that none need be fetched.
    func hasOriginal(_ request: ImageRequest) async -> Bool {
        guard
            request.options.isDisjoint(with: [.disableDiskCacheReads, .reloadIgnoringCachedData]),
            let cache = dataCache(for: request)
        else { return false }
        let key = request.dataKeyText
        return await BlockingPool.disk.run { cache.containsData(for: key) }
    }

    private func cachedData(_ key: String, _ request: ImageRequest) async -> Blob? {
        guard
            request.options.isDisjoint(with: [.disableDiskCacheReads, .reloadIgnoringCachedData]),
            let cache = dataCache(for: request)
        else { return nil }
        let blob = await BlockingPool.disk.run { cache.cachedData(for: key) }
        guard let blob, blob.count > 0 else { return nil }
        return blob
    }

    /// Puts a picture that a task waits for into the memory cache.
    func storeInMemory(_ image: LoadedImage, _ work: ImageWork) {
        if isWantedInMemory(image, work) { keep(image, work.request) }
    }

    func isWantedInMemory(_ image: LoadedImage, _ work: ImageWork) -> Bool {
        image.substitute == nil && image.holder != .memory
            && !work.request.options.contains(.disableMemoryCacheWrites)
            && state.withLock { $0.graph.hasTasks(work.id) }
    }

    func keep(_ image: LoadedImage, _ request: ImageRequest) {
        imageCache(for: request)?[ImageCacheKey(request)] = image.container
    }

    /// Puts the bytes as they came into the data cache, where its policy says so.
    func storeOriginal(_ data: LoadedData, _ work: DataWork) async {
        let request = work.request
        guard data.substitute == nil, !request.options.contains(.disableDiskCacheWrites),
            let cache = dataCache(for: request)
        else { return }
        switch configuration.dataCachePolicy {
        case .storeOriginalData, .storeAll: break
        case .storeEncodedImages: return
        case .automatic: guard isWantedAsIs(work) else { return }
        }
        let blob =
            delegate == nil
            ? data.blob
            : delegate?.willCache(data: data.blob, container: nil, for: request, pipeline: self)
        guard let blob else { return }
        let key = request.dataKeyText
        await BlockingPool.disk.run { cache.storeData(blob, for: key) }
    }

    /// Whether somebody wants the bytes, or the picture with nothing done to it.
    private func isWantedAsIs(_ work: DataWork) -> Bool {
        state.withLock { state in
            if state.graph.hasTasks(work.id) { return true }
            return state.graph.dependents(of: work.id).contains { node in
                state.graph.hasTasks(node)
                    && state.imageWorks[node]?.request.isFinishedWork == false
            }
        }
    }

    /// Encodes a picture that a task waits for into the data cache, where its policy says so.
    ///
    /// Returns what begins that, for when the tasks have their answer.
    func storing(_ image: LoadedImage, _ work: ImageWork) -> (() -> Void)? {
        let request = work.request
        guard image.substitute == nil, !request.options.contains(.disableDiskCacheWrites),
            let cache = dataCache(for: request), isEncodedStored(request),
            state.withLock({ $0.graph.hasTasks(work.id) }),
            let encoder = encoder(for: image.container, request)
        else { return nil }
        return beginStoring(image.container, request, encoder, cache)
    }

    private func isEncodedStored(_ request: ImageRequest) -> Bool {
        switch configuration.dataCachePolicy {
        case .storeOriginalData: false
        case .storeEncodedImages: true
        case .storeAll, .automatic: request.isFinishedWork
        }
    }

    func encoder(
        for container: ImageContainer, _ request: ImageRequest
    ) -> (any MediaEncoding)? {
        let own = delegate?.imageEncoder(for: container, request: request, pipeline: self)
        return own
            ?? configuration.encoders.first { $0.canAnimate || !container.isAnimated }
    }

    // Counted from now on, so that whoever has the answer can wait for it, and take it back.
    private func beginStoring(
        _ container: ImageContainer, _ request: ImageRequest, _ encoder: any MediaEncoding,
        _ cache: any DataCaching
    ) -> (() -> Void)? {
        let store = StoreWork(
            task: lastID.add(1, ordering: .relaxed).newValue, key: request.encodedKeyText)
        let node = state.withLock { state -> Int? in
            guard !isInvalidated else { return nil }
            let node = state.graph.join(store.task, .veryLow, nil).node
            state.storeWorks[node] = store
            return node
        }
        guard let node else { return nil }
        return {
            store.start { [self] in
                await encode(container, request, encoder, cache, node, store)
                didStore(node)
            }
        }
    }

    private func didStore(_ node: Int) {
        let (actions, idlers) = state.withLock { state in
            state.storeWorks[node] = nil
            defer { if state.storeWorks.isEmpty { state.idlers = [] } }
            return (
                state.graph.finish(node).actions,
                state.storeWorks.isEmpty ? state.idlers : []
            )
        }
        perform(actions)
        for idler in idlers { idler.resume() }
    }

    private func encode(
        _ container: ImageContainer, _ request: ImageRequest, _ encoder: any MediaEncoding,
        _ cache: any DataCaching, _ node: Int, _ work: StoreWork
    ) async {
        guard let ticket = await acquire(node, .encoding) else { return }
        defer { release(ticket) }
        let clock = configuration.clocks.steady
        let began = clock.now
        let span = startSpan("lazyimg.encode")
        defer { span.end() }
        guard !Task.isCancelled,
            // Encoders block while they work.
            let blob = await withTaskExecutorPreference(
                BlockingPool.shared, operation: { await encoder.blob(of: container) })
        else { return }
        metrics.encoding.record(clock.now - began)
        let stored =
            delegate == nil
            ? blob
            : delegate?.willCache(data: blob, container: container, for: request, pipeline: self)
        guard let stored, !Task.isCancelled else { return }
        let note = PictureNote.metadata(of: container)
        await BlockingPool.disk.run {
            cache.storeData(stored, metadata: note, for: work.key)
            // Whoever has removed it meanwhile may have come too early.
            if work.isRemoved { cache.removeData(for: work.key) }
        }
    }

    /// Waits until all that was finished is in the data cache, and that on disk.
    public func flush() async {
        await withUnsafeContinuation { (idler: UnsafeContinuation<Void, Never>) in
            let isIdle = state.withLock { state in
                if !state.storeWorks.isEmpty { state.idlers.append(idler) }
                return state.storeWorks.isEmpty
            }
            if isIdle { idler.resume() }
        }
        guard let cache = configuration.dataCache else { return }
        await BlockingPool.disk.run { cache.flush() }
    }
}

extension ImageRequest {
    /// Whether anything is done to the source's bytes but opening them.
    var isFinishedWork: Bool {
        !processors.isEmpty || thumbnail != nil || selection != .all
    }
}

extension MediaEncoding {
    /// A container as bytes of this format; nil where the format cannot carry it.
    func blob(of container: ImageContainer) async -> Blob? {
        let frames = container.frames
        let collected = Locked<[UInt8]>([])
        do throws(MediaError) {
            // An index counts the frames that a container's header did not tell.
            let info = try await frames.detailedInfo()
            try await encode(frames.frames(), info: info, loop: info.loop) {
                (piece) throws(MediaError) in
                let count = collected.withLock { bytes in
                    bytes += piece
                    return bytes.count
                }
                if count > Self.mostBytes {
                    throw MediaError(.limitExceeded, "The encoded picture is too large to keep.")
                }
            }
        } catch {
            return nil
        }
        return Blob(collected.withLock { $0 })
    }

    /// A processed picture of more bytes is not worth a place in a cache.
    private static var mostBytes: Int { 64 << 20 }
}
