public import FoundationEssentials
internal import LazyBytes
internal import LazyCache
public import LazyLoading
public import LazyMedia
internal import Metrics
internal import Synchronization

/// From an address to frames, once for everybody who asks.
///
/// Equal downloads, decodings and processings are done once; work ends when nobody waits for it any
/// more, and is as urgent as the most urgent of those who do.
public final class ImagePipeline: Sendable {
    /// The parts it was made of.
    public let configuration: Configuration
    let delegate: (any ImagePipelineDelegate)?
    let graph: LoadGraph
    let stores = PendingStores()
    let limiter = Locked(TokenBucket(perSecond: 80, burst: 25))
    let metrics: PipelineMetrics
    private let lastID = Atomic<Int>(0)
    /// The sizes of answers that one of several addresses was chosen by.
    let learnedSizes = MemoryCache<String, Int>(limits: .init(count: 4096))

    /// Makes a pipeline; the delegate is kept as long as the pipeline is.
    public init(
        configuration: Configuration, delegate: (any ImagePipelineDelegate)? = nil
    ) {
        self.configuration = configuration
        self.delegate = delegate
        metrics = PipelineMetrics()
        graph = LoadGraph { stage in
            switch stage {
            case .loading: configuration.dataLoadingLimit
            case .decoding: configuration.decodingLimit
            case .processing: configuration.processingLimit
            case .encoding: configuration.encodingLimit
            }
        }
    }

    /// Makes a pipeline whose configuration a closure changes.
    public convenience init(
        dataLoader: any DataLoading, decoders: DecoderRegistry,
        delegate: (any ImagePipelineDelegate)? = nil, _ configure: (inout Configuration) -> Void
    ) {
        var configuration = Configuration(dataLoader: dataLoader, decoders: decoders)
        configure(&configuration)
        self.init(configuration: configuration, delegate: delegate)
    }

    /// Begins a load.
    public func imageTask(with request: ImageRequest) -> ImageTask { start(request, nil) }

    /// Begins a load of an address.
    public func imageTask(with url: URL) -> ImageTask { imageTask(with: ImageRequest(url: url)) }

    /// Loads a picture: its poster.
    ///
    /// Cancelling the Swift task cancels the load.
    public func image(for request: ImageRequest) async throws(PipelineError) -> Bitmap {
        try await response(for: request).image
    }

    /// Loads the poster of an address.
    public func image(for url: URL) async throws(PipelineError) -> Bitmap {
        try await image(for: ImageRequest(url: url))
    }

    /// Loads a picture with all that belongs to it.
    public func response(for request: ImageRequest) async throws(PipelineError) -> ImageResponse {
        if delegate == nil, !graph.isClosed, let hit = answerFromMemory(request) {
            metrics.succeeded.increment()
            return hit
        }
        return try await imageTask(with: request).response
    }

    /// Loads the bytes of a request, undecoded, with the head of the answer.
    ///
    /// Shares its download with pictures of the same source; from the data cache there is no head.
    public func data(
        for request: ImageRequest
    ) async throws(PipelineError) -> (data: Blob, head: ResponseHead?) {
        let answer = try await dataTask(with: request).response
        return (answer.data, answer.head)
    }

    /// Ends all tasks with `.pipelineInvalidated`, and all that come later.
    public func invalidate() {
        for task in graph.close() {
            graph.leave(task.id)
            task.fail(.pipelineInvalidated)
        }
        for store in stores.all { graph.leave(store.task) }
    }

    /// Ends all tasks as `invalidate()` does, once what was finished is in the data cache.
    ///
    /// For the end of a service.
    public func shutdown() async {
        await flush()
        invalidate()
        await flush()
    }

    /// Tasks that have not ended.
    public var activeTaskCount: Int { graph.taskCount }

    /// A new number for a task.
    func makeID() -> Int { lastID.add(1, ordering: .relaxed).newValue }

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
        } else if let hit = answerFromMemory(known) {
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

    private func answerFromMemory(_ request: ImageRequest) -> ImageResponse? {
        guard let container = cachedInMemory(request), !container.isPreview else { return nil }
        metrics.memoryHits.increment()
        return ImageResponse(container: container, request: request, cacheType: .memory)
    }

    /// What the memory cache has for a request whose options allow a look.
    func cachedInMemory(_ request: ImageRequest) -> ImageContainer? {
        let options = request.options
        guard options.isDisjoint(with: [.disableMemoryCacheReads, .reloadIgnoringCachedData]),
            let cache = imageCache(for: request)
        else { return nil }
        return cache[ImageCacheKey(request)]
    }
}
