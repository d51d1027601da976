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

extension LazyImage {
    /// Makes a model of what the shared pipeline has in memory, or nil where it has nothing.
    public static func cached(
        _ request: ImageRequest, options: LazyImageOptions = .current
    ) -> LazyImage? {
        cached(request, options: options, pipeline: .shared)
    }
}

extension ImagePrefetcher {
    /// Makes a prefetcher of the shared pipeline.
    public convenience init(
        destination: Destination = .memoryCache, maxConcurrentRequestCount: Int = 2
    ) {
        self.init(
            pipeline: .shared, destination: destination,
            maxConcurrentRequestCount: maxConcurrentRequestCount)
    }
}
