package import FoundationEssentials
internal import LazyCache
internal import LazyHTTP
internal import LazyKit
package import LazyLoading
package import LazyMedia
package import LazyPipeline

/// How one run asks for its addresses.
package struct NetworkSettings: Sendable {
    /// How often what may heal is tried again, where nothing else is said.
    package static let usualRetries = RetryPolicy.standard.maximumRetries

    package var policy: FetchPolicy
    package var headers: HTTPHeaders
    package var lowDataURL: URL?
    /// Other addresses of the only input, and what it may cost.
    package var alternatives: [URL] = []
    package var budget: Int?
    package var retries: Int
    package var timeout: Duration?
    /// The longest time of a load in all, and the least bytes a second.
    package var maxTime: Duration?
    package var minRate: Int?
    package var maximumBytes: Int?
    /// Where the caches are; nil where this user has no place for them.
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

    /// The request for an address.
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

    /// The names of fields that may be secrets: all but those that are known to be none.
    package static func secretNames(_ headers: HTTPHeaders) -> Set<String> {
        Set(headers.fields.map { $0.name.lowercased() }).subtracting(LoadRequest.portableHeaders)
            .subtracting(["accept-charset", "connection", "dnt", "origin", "priority", "referer"])
    }

    /// Throws where nothing can be kept in the folder of the caches.
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

    /// Whether the store has something of an address.
    package func keeps(_ url: URL) -> Bool {
        StandardLoader.httpStore(in: cacheFolder)?.contains(CacheKey.of(request(url)))
            ?? false
    }

    /// The pipeline for all addresses of a run.
    package func makePipeline(_ limits: DecodingLimits, isProgressive: Bool) -> ImagePipeline {
        let store = policy == .noCache ? nil : StandardLoader.httpStore(in: cacheFolder)
        if policy != .noCache, store == nil { DiskCacheProblem(folder: cacheFolder)?.tellOnce() }
        var http = HTTPLoader.Configuration()
        http.rateLimit = nil
        var policy = RetryPolicy.standard
        policy.maximumRetries = retries
        var configuration = ImagePipeline.Configuration.withURLCache(
            store, http: http, retries: policy, imageCache: nil)
        configuration.limits = limits
        configuration.isRateLimiterEnabled = false
        configuration.isProgressiveDecodingEnabled = isProgressive
        configuration.maximumResponseDataSize = maximumBytes ?? limits.inputBytes
        return ImagePipeline(configuration: configuration)
    }
}
