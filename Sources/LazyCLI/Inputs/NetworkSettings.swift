internal import FoundationEssentials
internal import LazyKit
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

/// How one run requests its URLs.
struct NetworkSettings: Sendable {
    /// The default number of retries after temporary errors.
    static let usualRetries = RetryPolicy.standard.maximumRetries

    var policy: FetchPolicy
    var headers: HTTPHeaders
    var lowDataURL: URL?
    /// Other URLs of the only input, and its budget.
    var alternatives: [URL] = []
    var budget: Int?
    var retries: Int
    var timeout: Duration?
    /// The maximum total time of a load, and the minimum bytes per second.
    var maxTime: Duration?
    var minRate: Int?
    var maximumBytes: Int?
    /// The folder of the caches; nil if this user has none.
    var cacheFolder: String?

    /// The request for a URL.
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

    /// The names of fields that may be secret: all but those known to be public.
    static func secretNames(_ headers: HTTPHeaders) -> Set<String> {
        Set(headers.fields.map { $0.name.lowercased() }).subtracting(LoadRequest.portableHeaders)
            .subtracting(["accept-charset", "connection", "dnt", "origin", "priority", "referer"])
    }

    /// Throws if the folder of the caches cannot be used.
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

    /// Whether the cache has a response or part of a URL.
    func keeps(_ url: URL) -> Bool {
        StandardLoader.httpStore(in: cacheFolder)?.contains(CacheKey.of(request(url)))
            ?? false
    }

    /// The request for the media of a URL.
    func imageRequest(_ url: URL) -> ImageRequest {
        var media = ImageRequest(loadRequest: request(url))
        media.lowDataURL = lowDataURL
        media.alternatives = alternatives.map { .init(url: $0) }
        media.byteBudget = budget
        return media
    }

    /// What the pipeline for all URLs of a run is made of.
    func pipeline(isProgressive: Bool) -> ImagePipeline.Configuration {
        let store = policy == .noCache ? nil : StandardLoader.httpStore(in: cacheFolder)
        if policy != .noCache, store == nil { DiskCacheProblem(folder: cacheFolder)?.tellOnce() }
        var http = HTTPLoader.Configuration()
        http.rateLimit = nil
        var policy = RetryPolicy.standard
        policy.maximumRetries = retries
        var configuration = ImagePipeline.Configuration.withURLCache(
            store, http: http, retries: policy, imageCache: nil)
        configuration.isRateLimiterEnabled = false
        configuration.isProgressiveDecodingEnabled = isProgressive
        configuration.maximumResponseDataSize = maximumBytes
        return configuration
    }
}
