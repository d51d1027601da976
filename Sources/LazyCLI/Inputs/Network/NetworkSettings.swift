package import FoundationEssentials
internal import LazyKit
package import LazyLoading
package import LazyMedia
package import LazyPipeline

/// How one run requests its URLs.
package struct NetworkSettings: Sendable {
    /// The default number of retries after temporary errors.
    package static let usualRetries = RetryPolicy.standard.maximumRetries

    package var policy: FetchPolicy
    package var headers: HTTPHeaders
    package var lowDataURL: URL?
    /// Other URLs of the only input, and its budget.
    package var alternatives: [URL] = []
    package var budget: Int?
    package var retries: Int
    package var timeout: Duration?
    /// The maximum total time of a load, and the minimum bytes per second.
    package var maxTime: Duration?
    package var minRate: Int?
    package var maximumBytes: Int?
    /// The folder of the caches; nil if this user has none.
    package var cacheFolder: String?

    package init(
        policy: FetchPolicy, headers: HTTPHeaders, lowDataURL: URL? = nil, alternatives: [URL] = [],
        budget: Int? = nil, retries: Int, timeout: Duration? = nil, maxTime: Duration? = nil,
        minRate: Int? = nil, maximumBytes: Int? = nil, cacheFolder: String? = nil
    ) {
        self.policy = policy
        self.headers = headers
        self.lowDataURL = lowDataURL
        self.alternatives = alternatives
        self.budget = budget
        self.retries = retries
        self.timeout = timeout
        self.maxTime = maxTime
        self.minRate = minRate
        self.maximumBytes = maximumBytes
        self.cacheFolder = cacheFolder
    }

    /// The request for a URL.
    package func request(_ url: URL) -> LoadRequest {
        var request = LoadRequest(url: url, headers: headers, policy: policy)
        if let timeout {
            request.connectTimeout = timeout
            request.readTimeout = timeout
        }
        request.totalTimeout = maxTime
        if let minRate { request.minimumRate?.bytesPerSecond = minRate }
        request.maximumBytes = maximumBytes
        request.secretHeaders = Self.secretNames(headers)
        return request
    }

    /// The names of fields that may be secret: all but those known to be public.
    package static func secretNames(_ headers: HTTPHeaders) -> Set<String> {
        Set(headers.fields.map { $0.name.lowercased() }).subtracting(LoadRequest.portableHeaders)
            .subtracting(["accept-charset", "connection", "dnt", "origin", "priority", "referer"])
    }

    /// Throws if the folder of the caches cannot be used.
    package func requireStore() throws(CommandFailure) {
        guard StandardLoader.httpStore(in: cacheFolder) == nil else { return }
        switch DiskCacheProblem(folder: cacheFolder) {
        case nil: return
        case .noFolder?:
            throw CommandFailure(
                .cannotCreate, "cannotCreate", DiskCacheProblem.noFolder.description + ".",
                hint: "Name one with --cache-dir.")
        case .refused(let folder, let error)?:
            throw CommandFailure(writing: folder, error)
        }
    }

    /// Whether the cache has a response or part of a URL.
    package func keeps(_ url: URL) -> Bool {
        StandardLoader.httpStore(in: cacheFolder)?.contains(CacheKey.of(request(url)))
            ?? false
    }

    /// The pipeline for all URLs of a run.
    package func makePipeline(
        _ limits: DecodingLimits, _ decoders: DecoderRegistry, isProgressive: Bool
    ) -> ImagePipeline {
        let store = policy == .noCache ? nil : StandardLoader.httpStore(in: cacheFolder)
        if policy != .noCache, store == nil { DiskCacheProblem(folder: cacheFolder)?.tellOnce() }
        var http = HTTPLoader.Configuration()
        http.rateLimit = nil
        var policy = RetryPolicy.standard
        policy.maximumRetries = retries
        var configuration = ImagePipeline.Configuration.withURLCache(
            store, http: http, retries: policy, imageCache: nil)
        configuration.limits = limits
        configuration.decoders = decoders
        configuration.isRateLimiterEnabled = false
        configuration.isProgressiveDecodingEnabled = isProgressive
        configuration.maximumResponseDataSize = maximumBytes ?? limits.inputBytes
        return ImagePipeline(configuration: configuration)
    }
}
