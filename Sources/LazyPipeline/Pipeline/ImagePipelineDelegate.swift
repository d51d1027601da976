public import LazyBytes
public import LazyCache
public import LazyLoading
public import LazyMedia

/// Decides parts of a pipeline's work and hears of all of it; every method has a default.
///
/// Called by any thread at any time, outside all locks.
public protocol ImagePipelineDelegate: AnyObject, Sendable {
    /// The decoder for bytes of a type, or nil for the one of the registry.
    func imageDecoder(
        for type: MediaType, request: ImageRequest, pipeline: ImagePipeline
    ) -> (any MediaDecoding)?

    /// The encoder for a finished picture, or nil for the first of the configuration that can do it.
    func imageEncoder(
        for container: ImageContainer, request: ImageRequest, pipeline: ImagePipeline
    ) -> (any MediaEncoding)?

    /// How previews are made of bytes that begin like this, or nil for the default.
    func previewPolicy(
        for type: MediaType, prefix: Blob, request: ImageRequest, pipeline: ImagePipeline
    ) -> PreviewPolicy?

    /// The loader of a request, or nil for that of the configuration.
    func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataLoading)?

    /// Called before bytes are loaded; what it returns is loaded. An error ends the load.
    func willLoadData(
        _ loadRequest: LoadRequest, for request: ImageRequest, pipeline: ImagePipeline
    ) async throws -> LoadRequest

    /// The memory cache of a request.
    func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)?

    /// The data cache of a request.
    func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)?

    /// What a request is known by in caches and when work is shared, or nil for its `imageID`.
    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String?

    /// Called before bytes go to the data cache; what it returns is stored, nil is not.
    ///
    /// The container is the picture they are of, or nil for bytes as they came.
    func willCache(
        data: Blob, container: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline
    ) -> Blob?

    /// A task was made; nothing has happened yet.
    func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline)

    /// A task has begun: the caches in memory did not have its picture.
    func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline)

    /// Something happened to a task.
    func imageTask(
        _ task: ImageTask, didReceive event: ImageTask.Event, pipeline: ImagePipeline)

    /// A task has ended.
    func imageTask(
        _ task: ImageTask, didFinish summary: TaskSummary, pipeline: ImagePipeline)
}

extension ImagePipelineDelegate {
    /// The decoder of the registry.
    public func imageDecoder(
        for type: MediaType, request: ImageRequest, pipeline: ImagePipeline
    ) -> (any MediaDecoding)? { nil }

    /// The first encoder of the configuration that can do it.
    public func imageEncoder(
        for container: ImageContainer, request: ImageRequest, pipeline: ImagePipeline
    ) -> (any MediaEncoding)? { nil }

    /// The default of `PreviewMaker`.
    public func previewPolicy(
        for type: MediaType, prefix: Blob, request: ImageRequest, pipeline: ImagePipeline
    ) -> PreviewPolicy? { nil }

    /// The loader of the configuration.
    public func dataLoader(
        for request: ImageRequest, pipeline: ImagePipeline
    ) -> (any DataLoading)? { nil }

    /// The request as it is.
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

    /// The bytes as they are.
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
