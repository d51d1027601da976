public import FoundationEssentials
internal import LazyBase
public import LazyLoading
public import LazyMedia
internal import Metrics
internal import Synchronization

/// Loads images: from a URL to frames, with work shared between equal requests.
///
/// Equal downloads, decodings and processings are done once. Work without a subscriber is
/// cancelled; its priority is the highest of its subscribers.
public final class ImagePipeline: Sendable {
    /// The configuration of the pipeline.
    public let configuration: Configuration
    let delegate: (any ImagePipelineDelegate)?
    let graph: LoadGraph
    let stores = PendingStores()
    let limiter = Locked(TokenBucket(perSecond: 80, burst: 25))
    let metrics: PipelineMetrics
    /// Results of renditions in memory, if any are kept there.
    let renditionMemory: RenditionMemory?
    /// Work that continues without its tasks for some time.
    let kept = Locked<[Int: Task<Void, Never>]>([:])
    /// Removals from a store of renditions, which `flush()` waits for.
    let removing = Locked<[Int: Task<Void, Never>]>([:])
    /// Of all pipelines, so that tasks of several are told apart in one list.
    private static let lastID = Atomic<Int>(0)
    /// Sizes of responses, by which alternative URLs are chosen.
    let learnedSizes = MemoryCache<String, Int>(limits: .init(count: 4096))

    /// Creates a pipeline, which retains its delegate.
    public init(
        configuration: Configuration, delegate: (any ImagePipelineDelegate)? = nil
    ) {
        self.configuration = configuration
        self.delegate = delegate
        metrics = PipelineMetrics()
        let limit = configuration.renditionCacheLimit
        renditionMemory =
            limit > 0
            ? RenditionMemory(
                limit: limit, lifetime: configuration.renditionCacheAge,
                clock: configuration.clocks.steady) : nil
        graph = LoadGraph { stage in
            switch stage {
            case .loading: configuration.dataLoadingLimit
            case .decoding: configuration.decodingLimit
            case .processing: configuration.processingLimit
            case .encoding: configuration.encodingLimit
            case .rendering: configuration.renderingLimit
            }
        }
    }

    /// Creates a pipeline with a configuration that a closure changes.
    public convenience init(
        dataLoader: any DataLoading, decoders: DecoderRegistry,
        delegate: (any ImagePipelineDelegate)? = nil, _ configure: (inout Configuration) -> Void
    ) {
        var configuration = Configuration(dataLoader: dataLoader, decoders: decoders)
        configure(&configuration)
        self.init(configuration: configuration, delegate: delegate)
    }

    /// Starts a load.
    public func imageTask(with request: ImageRequest) -> ImageTask { start(request, nil) }

    /// Starts a load of a URL.
    public func imageTask(with url: URL) -> ImageTask { imageTask(with: ImageRequest(url: url)) }

    /// Loads an image and returns its poster.
    ///
    /// Cancelling the Swift task cancels the load.
    nonisolated(nonsending) public func image(
        for request: ImageRequest
    ) async throws(PipelineError) -> Bitmap {
        try await response(for: request).image
    }

    /// Loads the image of a URL and returns its poster.
    nonisolated(nonsending) public func image(
        for url: URL
    ) async throws(PipelineError) -> Bitmap {
        try await image(for: ImageRequest(url: url))
    }

    /// Loads an image and returns the full response.
    ///
    /// Stays on the actor of its caller: an image in memory is returned without a change of threads.
    nonisolated(nonsending) public func response(
        for request: ImageRequest
    ) async throws(PipelineError) -> ImageResponse {
        if delegate == nil, !graph.isClosed, let hit = responseFromMemory(request) {
            metrics.succeeded.increment()
            return hit
        }
        return try await imageTask(with: request).response
    }

    /// Loads the encoded bytes of a request, with the head of the response.
    ///
    /// Shares its download with images of the same source. Bytes from the data cache have no head.
    nonisolated(nonsending) public func data(
        for request: ImageRequest
    ) async throws(PipelineError) -> (data: Blob, head: ResponseHead?) {
        let answer = try await dataTask(with: request).response
        return (answer.data, answer.head)
    }

    /// Fails all tasks with `.pipelineInvalidated`, present and future.
    public func invalidate() {
        for task in graph.close() {
            graph.leave(task.id)
            task.fail(.pipelineInvalidated)
        }
        for store in stores.all { graph.leave(store.task) }
        for (id, wait) in kept.withLock({ $0 }) {
            graph.leave(id)
            wait.cancel()
        }
    }

    /// Invalidates the pipeline after finished images have been stored in the data cache.
    ///
    /// For the shutdown of a service.
    public func shutdown() async {
        await flush()
        invalidate()
        await flush()
    }

    /// The number of tasks that have not ended.
    public var activeTaskCount: Int { graph.taskCount }

    /// A new number for a task.
    func makeID() -> Int { Self.lastID.add(1, ordering: .relaxed).newValue }

    func start(
        _ request: ImageRequest, _ handler: (@Sendable (ImageTask.Event) -> Void)?
    ) -> ImageTask {
        let task = ImageTask(
            id: makeID(), request: request, owner: self,
            startedAt: clock.now, handler: handler)
        delegate?.imageTaskCreated(task, pipeline: self)
        if task.result != nil { return task }
        let known = request.known(by: delegate, self)
        if graph.isClosed {
            task.end(.failure(.pipelineInvalidated))
        } else if case .missing = known.source {
            task.end(.failure(.requestMissing))
        } else if let hit = responseFromMemory(known) {
            task.end(.success(hit), WorkRecord(cacheType: .memory))
        } else {
            join(task, known)
        }
        return task
    }

    func makeDataTask(
        _ request: ImageRequest, _ handler: (@Sendable (DataTask.Event) -> Void)?
    ) -> DataTask {
        let task = DataTask(
            id: makeID(), request: request, owner: self,
            startedAt: clock.now, handler: handler)
        join(task, request.known(by: delegate, self))
        return task
    }

    private func responseFromMemory(_ request: ImageRequest) -> ImageResponse? {
        guard let container = cachedInMemory(request), !container.isPreview else { return nil }
        metrics.memoryHits.increment()
        return ImageResponse(container: container, request: request, cacheType: .memory)
    }

    /// The image in the memory cache, if the options of the request allow reading it.
    func cachedInMemory(_ request: ImageRequest) -> ImageContainer? {
        let options = request.options
        guard options.isDisjoint(with: [.disableMemoryCacheReads, .reloadIgnoringCachedData]),
            let cache = imageCache(for: request)
        else { return nil }
        return cache[ImageCacheKey(request)]
    }
}
