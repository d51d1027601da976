internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading

/// Sends signed requests to the buckets of an endpoint.
///
/// By a loader of its own, because the endpoint is the operator's and may be in a private network. It follows no
/// redirect, so that a signature reaches no other server.
struct S3Client: Sendable {
    let endpoint: S3Endpoint
    let signer: RequestSigner
    let keys: AccessKeys
    private let loader: any DataLoading

    init(_ endpoint: S3Endpoint, region: String, _ keys: AccessKeys) {
        self.endpoint = endpoint
        signer = RequestSigner(region: region)
        self.keys = keys
        var http = HTTPLoader.Configuration()
        http.redirects = 0
        http.rateLimit = nil
        http.connectionsPerHost = 32
        http.acceptsCompression = false
        loader = HTTPLoader(configuration: http)
    }

    /// Sends a request to an object, or to its bucket for an empty key; its URL counts in messages only.
    func send(
        _ request: LoadRequest, to address: S3Address, query: [(String, String)] = []
    ) async throws(LoadingError) -> LoadResponse {
        var query = query
        if let version = address.version { query.append(("versionId", version)) }
        let (bucket, key) = (address.bucket, address.key)
        guard let url = endpoint.url(bucket: bucket, key: key, query: query) else {
            throw LoadingError(.badAddress, "The endpoint \(endpoint.address) is no URL.")
        }
        var sent = request
        sent.url = url
        // The endpoint is trusted, and not because of what a playlist says.
        sent.trustedHost = nil
        sent = signer.signed(sent, by: try await keys.current(), at: .now)
        do throws(LoadingError) {
            var response = try await loader.load(sent)
            response.head.url = request.url
            return response
        } catch {
            // Clients need not know where the endpoint is.
            let message = error.message.replacing(
                url.absoluteString, with: request.url.shortLabel)
            throw LoadingError(
                error.code, message, status: error.status, retryAfter: error.retryAfter,
                underlying: error.underlying, head: error.head)
        }
    }
}
