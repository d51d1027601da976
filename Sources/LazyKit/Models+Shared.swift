public import FoundationEssentials
public import LazyPipeline

extension ImagePipeline {
    /// The pipeline of this part of the program: that of `LazyImageOptions.current`, or the shared one.
    ///
    /// Models and prefetchers that are made without a pipeline take it.
    public static var current: ImagePipeline { LazyImageOptions.current.pipeline ?? .shared }
}

extension FetchImage {
    /// Makes a model without a load, of the current pipeline.
    public convenience init() { self.init(pipeline: .current) }

    /// Makes a model of an address, of the current pipeline.
    public convenience init(url: URL) { self.init(url: url, pipeline: .current) }

    /// Makes a model of a request, of the current pipeline.
    public convenience init(request: ImageRequest) {
        self.init(request: request, pipeline: .current)
    }

    /// Makes a model of an address and one with fewer bytes, of the current pipeline.
    public convenience init(regularURL: URL, lowDataURL: URL) {
        self.init(regularURL: regularURL, lowDataURL: lowDataURL, pipeline: .current)
    }
}

extension LazyImage {
    /// Makes a model of an address in a text, of the current pipeline.
    public convenience init(_ source: String, options: LazyImageOptions = .current) {
        self.init(source, options: options, pipeline: options.pipeline ?? .shared)
    }

    /// Makes a model of an address, of the current pipeline.
    public convenience init(url: URL?, options: LazyImageOptions = .current) {
        self.init(url: url, options: options, pipeline: options.pipeline ?? .shared)
    }

    /// Makes a model of a request, of the current pipeline.
    public convenience init(
        request: ImageRequest?, options: LazyImageOptions = .current
    ) {
        self.init(request: request, options: options, pipeline: options.pipeline ?? .shared)
    }
}

extension LazyImage {
    /// Makes a model of what the current pipeline's caches have, or nil; loads nothing.
    ///
    /// What only a disk has is read and decoded on the thread of the caller.
    public static func cached(
        _ request: ImageRequest, caches: ImagePipeline.Cache.Caches = .all,
        options: LazyImageOptions = .current
    ) -> LazyImage? {
        cached(request, caches: caches, options: options, pipeline: options.pipeline ?? .shared)
    }
}

extension ImagePrefetcher {
    /// Makes a prefetcher of the current pipeline.
    public convenience init(
        destination: Destination = .memoryCache, maxConcurrentRequestCount: Int = 2
    ) {
        self.init(
            pipeline: .current, destination: destination,
            maxConcurrentRequestCount: maxConcurrentRequestCount)
    }
}
