public import FoundationEssentials
internal import LazyBase

extension ImagePipeline {
    /// Loads an image and calls a closure with the result; the task can be cancelled.
    ///
    /// The closure is called exactly once, on any thread; for an image in memory, before this returns.
    @discardableResult
    public func loadImage(
        with request: ImageRequest,
        completion: @escaping @Sendable (Result<ImageResponse, PipelineError>) -> Void
    ) -> ImageTask {
        start(request) { if case .finished(let result) = $0 { completion(result) } }
    }

    /// Loads the image of a URL and calls a closure with the result.
    @discardableResult
    public func loadImage(
        with url: URL,
        completion: @escaping @Sendable (Result<ImageResponse, PipelineError>) -> Void
    ) -> ImageTask {
        loadImage(with: ImageRequest(url: url), completion: completion)
    }

    /// Loads an image and reports previews and progress to a closure.
    ///
    /// `progress` receives a new preview, if any, the bytes so far and the total.
    @discardableResult
    public func loadImage(
        with request: ImageRequest,
        progress: (@Sendable (ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)?,
        completion: @escaping @Sendable (Result<ImageResponse, PipelineError>) -> Void
    ) -> ImageTask {
        let last = Locked(ImageTask.Progress())
        return start(request) { event in
            switch event {
            case .progress(let value):
                last.withLock { $0 = value }
                progress?(nil, value.completed, value.total)
            case .preview(let response):
                let value = last.withLock { $0 }
                progress?(response, value.completed, value.total)
            case .finished(let result): completion(result)
            }
        }
    }

    /// Starts a load of encoded bytes.
    public func dataTask(with request: ImageRequest) -> DataTask { makeDataTask(request, nil) }

    /// Loads encoded bytes and calls a closure with the result; the task can be cancelled.
    @discardableResult
    public func loadData(
        with request: ImageRequest,
        progress: (@Sendable (_ completed: Int64, _ total: Int64) -> Void)? = nil,
        completion: @escaping @Sendable (Result<DataTask.Response, PipelineError>) -> Void
    ) -> DataTask {
        makeDataTask(request) { event in
            switch event {
            case .progress(let value): progress?(value.completed, value.total)
            case .finished(let result): completion(result)
            }
        }
    }
}
