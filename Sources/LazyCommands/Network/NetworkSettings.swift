internal import FoundationEssentials
internal import LazyCache
internal import LazyHTTP
internal import LazyKit
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

/// How one run asks for its addresses.
struct NetworkSettings: Sendable {
    /// How often what may heal is tried again, where nothing else is said.
    static let usualRetries = RetryPolicy.standard.maximumRetries

    var policy: FetchPolicy
    var headers: HTTPHeaders
    var lowDataURL: URL?
    /// Other addresses of the only input, and what it may cost.
    var alternatives: [URL] = []
    var budget: Int?
    var retries: Int
    var timeout: Duration?
    /// The longest time of a load in all, and the least bytes a second.
    var maxTime: Duration?
    var minRate: Int?
    var maximumBytes: Int?
    /// Where the caches are; nil where this user has no place for them.
    var cacheFolder: String?

    /// The request for an address.
    func request(_ url: URL) -> LoadRequest {
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
    static func secretNames(_ headers: HTTPHeaders) -> Set<String> {
        Set(headers.fields.map { $0.name.lowercased() }).subtracting(LoadRequest.portableHeaders)
            .subtracting(["accept-charset", "connection", "dnt", "origin", "priority", "referer"])
    }

    /// Throws where nothing can be kept in the folder of the caches.
    func requireStore() throws(CommandFailure) {
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
    func keeps(_ url: URL) -> Bool {
        StandardLoader.httpStore(in: cacheFolder)?.contains(CachingLoader.key(for: request(url)))
            ?? false
    }

    /// The pipeline for all addresses of a run.
    func makePipeline(_ limits: DecodingLimits, isProgressive: Bool) -> ImagePipeline {
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
