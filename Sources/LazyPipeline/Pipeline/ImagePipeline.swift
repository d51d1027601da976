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
    struct State {
        var graph: WorkGraph
        var imageTasks: [Int: ImageTask] = [:]
        var dataTasks: [Int: DataTask] = [:]
        var imageWorks: [Int: ImageWork] = [:]
        var dataWorks: [Int: DataWork] = [:]
        var waiters: [Int: UnsafeContinuation<Int?, Never>] = [:]
        var storeWorks: [Int: StoreWork] = [:]
        var idlers: [UnsafeContinuation<Void, Never>] = []
        /// Downloads that wait before they begin.
        var pauses: [Int: DownloadPause] = [:]
    }

    /// The parts it was made of.
    public let configuration: Configuration
    let delegate: (any ImagePipelineDelegate)?
    let state: Locked<State>
    let limiter = Locked(TokenBucket())
    let metrics: PipelineMetrics
    let lastID = Atomic<Int>(0)
    /// The sizes of answers that one of several addresses was chosen by.
    let learnedSizes = MemoryCache<String, Int>(limits: .init(count: 4096))
    private let invalidated = Atomic<Bool>(false)

    /// Makes a pipeline; the delegate is kept as long as the pipeline is.
    public init(
        configuration: Configuration, delegate: (any ImagePipelineDelegate)? = nil
    ) {
        self.configuration = configuration
        self.delegate = delegate
        metrics = PipelineMetrics()
        state = Locked(
            State(
                graph: WorkGraph { stage in
                    switch stage {
                    case .loading: configuration.dataLoadingLimit
                    case .decoding: configuration.decodingLimit
                    case .processing: configuration.processingLimit
                    case .encoding: configuration.encodingLimit
                    }
                }))
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
        if delegate == nil, !isInvalidated, let hit = answerFromMemory(request) {
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
        let (images, datas, stores) = state.withLock { state in
            invalidated.store(true, ordering: .releasing)
            return (
                Array(state.imageTasks.values), Array(state.dataTasks.values),
                state.storeWorks.values.map(\.task)
            )
        }
        for task in images {
            leave(task.id)
            task.end(.failure(.pipelineInvalidated))
        }
        for task in datas {
            leave(task.id)
            task.end(.failure(.pipelineInvalidated))
        }
        for task in stores { leave(task) }
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
    public var activeTaskCount: Int { state.withLock { $0.imageTasks.count + $0.dataTasks.count } }

    /// Whether nothing is loaded any more; decided under the lock where work is joined.
    var isInvalidated: Bool { invalidated.load(ordering: .acquiring) }

    func start(
        _ request: ImageRequest, _ handler: (@Sendable (ImageTask.Event) -> Void)?
    ) -> ImageTask {
        let id = lastID.add(1, ordering: .relaxed).newValue
        let task = ImageTask(
            id: id, request: request, pipeline: self,
            startedAt: configuration.clocks.steady.now, handler: handler)
        delegate?.imageTaskCreated(task, pipeline: self)
        if task.result != nil { return task }
        let known = request.known(by: delegate, self)
        if isInvalidated {
            task.end(.failure(.pipelineInvalidated))
        } else if case .missing = known.source {
            task.end(.failure(.requestMissing))
        } else if let hit = answerFromMemory(known) {
            var record = WorkRecord()
            record.cacheType = .memory
            task.end(.success(hit), record)
        } else {
            join(task, known)
        }
        return task
    }

    func makeDataTask(
        _ request: ImageRequest, _ handler: (@Sendable (DataTask.Event) -> Void)?
    ) -> DataTask {
        let id = lastID.add(1, ordering: .relaxed).newValue
        let task = DataTask(
            id: id, request: request, pipeline: self,
            startedAt: configuration.clocks.steady.now, handler: handler)
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

    func imageCache(for request: ImageRequest) -> (any ImageCaching)? {
        guard let delegate else { return configuration.imageCache }
        return delegate.imageCache(for: request, pipeline: self)
    }

    func dataCache(for request: ImageRequest) -> (any DataCaching)? {
        guard let delegate else { return configuration.dataCache }
        return delegate.dataCache(for: request, pipeline: self)
    }
}

extension ImageRequest {
    /// The request under the name that a delegate gives it.
    func known(
        by delegate: (any ImagePipelineDelegate)?, _ pipeline: ImagePipeline
    ) -> ImageRequest {
        guard let key = delegate?.cacheKey(for: self, pipeline: pipeline) else { return self }
        var request = self
        request.imageID = key
        return request
    }
}
