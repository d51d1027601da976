public import FoundationEssentials
internal import LazyBytes

extension ImagePipeline {
    /// Loads a picture and calls a closure when it is there; the task can be cancelled.
    ///
    /// The closure is called exactly once, on some thread; for a picture in memory before this returns.
    @discardableResult
    public func loadImage(
        with request: ImageRequest,
        completion: @escaping @Sendable (Result<ImageResponse, PipelineError>) -> Void
    ) -> ImageTask {
        start(request) { if case .finished(let result) = $0 { completion(result) } }
    }

    /// Loads the picture of an address and calls a closure when it is there.
    @discardableResult
    public func loadImage(
        with url: URL,
        completion: @escaping @Sendable (Result<ImageResponse, PipelineError>) -> Void
    ) -> ImageTask {
        loadImage(with: ImageRequest(url: url), completion: completion)
    }

    /// Loads a picture, telling a closure of previews and bytes on the way.
    ///
    /// `progress` gets the newest preview, if one was just made, the bytes so far and those in all.
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

    /// Begins a load of bytes, undecoded.
    public func dataTask(with request: ImageRequest) -> DataTask { makeDataTask(request, nil) }

    /// Loads bytes and calls a closure when they are there; the task can be cancelled.
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
