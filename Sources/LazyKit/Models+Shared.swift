public import FoundationEssentials

extension FetchImage {
    /// Makes a model without a load, of the shared pipeline.
    public convenience init() { self.init(pipeline: .shared) }

    /// Makes a model of an address, of the shared pipeline.
    public convenience init(url: URL) { self.init(url: url, pipeline: .shared) }

    /// Makes a model of a request, of the shared pipeline.
    public convenience init(request: ImageRequest) {
        self.init(request: request, pipeline: .shared)
    }
}

extension LazyImage {
    /// Makes a model of an address in a text, of the shared pipeline.
    public convenience init(_ source: String, options: LazyImageOptions = .current) {
        self.init(source, options: options, pipeline: .shared)
    }

    /// Makes a model of an address, of the shared pipeline.
    public convenience init(url: URL?, options: LazyImageOptions = .current) {
        self.init(url: url, options: options, pipeline: .shared)
    }

    /// Makes a model of a request, of the shared pipeline.
    public convenience init(
        request: ImageRequest?, options: LazyImageOptions = .current
    ) {
        self.init(request: request, options: options, pipeline: .shared)
    }
}
