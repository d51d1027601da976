public import LazyBase
public import LazyLoading
public import LazyMedia

/// Customizes and observes the work of a pipeline; every method has a default.
///
/// Called on any thread, outside all locks.
public protocol ImagePipelineDelegate: AnyObject, Sendable {
    /// The decoder for bytes, or nil for that of the registry.
    ///
    /// Asks the other method of this name by default.
    func imageDecoder(
        for context: DecodingContext, pipeline: ImagePipeline
    ) -> (any MediaDecoding)?

    /// The decoder for bytes of a type, or nil for that of the registry.
    func imageDecoder(
        for type: MediaType, request: ImageRequest, pipeline: ImagePipeline
    ) -> (any MediaDecoding)?

    /// The encoder for a finished image, or nil for the first suitable one of the configuration.
    func imageEncoder(
        for container: ImageContainer, request: ImageRequest, pipeline: ImagePipeline
    ) -> (any MediaEncoding)?

    /// The preview policy for bytes with a prefix, or nil for the default.
    func previewPolicy(
        for type: MediaType, prefix: Blob, request: ImageRequest, pipeline: ImagePipeline
    ) -> PreviewPolicy?

    /// The loader of a request, or nil for that of the configuration.
    func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataLoading)?

    /// Called before bytes are loaded; returns the request to load. An error fails the load.
    func willLoadData(
        _ loadRequest: LoadRequest, for request: ImageRequest, pipeline: ImagePipeline
    ) async throws -> LoadRequest

    /// The memory cache of a request.
    func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)?

    /// The data cache of a request.
    func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)?

    /// The identifier of a request in caches and for sharing work, or nil for its `imageID`.
    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String?

    /// Called before bytes are stored in the data cache; returns the bytes to store, or nil for none.
    ///
    /// The container is the encoded image, or nil for original bytes.
    func willCache(
        data: Blob, container: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline
    ) -> Blob?

    /// A task was created, and has not started.
    func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline)

    /// A task has started, because the memory cache does not have its image.
    func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline)

    /// A task has an event.
    func imageTask(
        _ task: ImageTask, didReceive event: ImageTask.Event, pipeline: ImagePipeline)

    /// A task has ended.
    func imageTask(
        _ task: ImageTask, didFinish summary: TaskSummary, pipeline: ImagePipeline)
}

/// What is known of bytes that are about to be decoded.
public struct DecodingContext: Sendable {
    /// The type by the bytes.
    public var type: MediaType
    /// The request.
    public var request: ImageRequest
    /// The head of the response; nil for bytes of the data cache and of sources other than URLs.
    public var head: ResponseHead?

    /// Creates a context.
    public init(type: MediaType, request: ImageRequest, head: ResponseHead? = nil) {
        self.type = type
        self.request = request
        self.head = head
    }
}

extension ImagePipelineDelegate {
    /// The decoder for the type.
    public func imageDecoder(
        for context: DecodingContext, pipeline: ImagePipeline
    ) -> (any MediaDecoding)? {
        imageDecoder(for: context.type, request: context.request, pipeline: pipeline)
    }

    /// The decoder of the registry.
    public func imageDecoder(
        for type: MediaType, request: ImageRequest, pipeline: ImagePipeline
    ) -> (any MediaDecoding)? { nil }

    /// The first suitable encoder of the configuration.
    public func imageEncoder(
        for container: ImageContainer, request: ImageRequest, pipeline: ImagePipeline
    ) -> (any MediaEncoding)? { nil }

    /// The default policy for the type.
    public func previewPolicy(
        for type: MediaType, prefix: Blob, request: ImageRequest, pipeline: ImagePipeline
    ) -> PreviewPolicy? { nil }

    /// The loader of the configuration.
    public func dataLoader(
        for request: ImageRequest, pipeline: ImagePipeline
    ) -> (any DataLoading)? { nil }

    /// The request unchanged.
    public func willLoadData(
        _ loadRequest: LoadRequest, for request: ImageRequest, pipeline: ImagePipeline
    ) async throws -> LoadRequest { loadRequest }

    /// The memory cache of the configuration.
    public func imageCache(
        for request: ImageRequest, pipeline: ImagePipeline
    ) -> (any ImageCaching)? { pipeline.configuration.imageCache }

    /// The data cache of the configuration.
    public func dataCache(
        for request: ImageRequest, pipeline: ImagePipeline
    ) -> (any DataCaching)? { pipeline.configuration.dataCache }

    /// The request's own `imageID`.
    public func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? { nil }

    /// The bytes unchanged.
    public func willCache(
        data: Blob, container: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline
    ) -> Blob? { data }

    /// Nothing.
    public func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) {}

    /// Nothing.
    public func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline) {}

    /// Nothing.
    public func imageTask(
        _ task: ImageTask, didReceive event: ImageTask.Event, pipeline: ImagePipeline
    ) {}

    /// Nothing.
    public func imageTask(
        _ task: ImageTask, didFinish summary: TaskSummary, pipeline: ImagePipeline
    ) {}
}
