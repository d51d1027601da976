internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading

/// Loads `s3:` URLs from the buckets of an endpoint, as HTTP's rules say, and passes all others on.
struct S3Loader: DataLoading, StoredResponseLoading, ResponseCaching {
    private let objects: CachingLoader
    private let next: any DataLoading

    init(_ client: S3Client, store: any EntryStoring, next: any DataLoading) {
        // Each try has a signature of its own, which no store sees.
        objects = CachingLoader(
            RetryingLoader(CompletingLoader(ObjectLoader(client: client))), store: store,
            isShared: true)
        self.next = next
    }

    private func isOurs(_ request: LoadRequest) -> Bool {
        request.url.scheme?.lowercased() == "s3"
    }

    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        isOurs(request) ? try await objects.load(request) : try await next.load(request)
    }

    var responseCache: ResponseCache? {
        (next as? any ResponseCaching)?.responseCache ?? objects.responseCache
    }

    func storedResponse(
        to request: LoadRequest
    ) async throws(LoadingError) -> LoadResponse? {
        isOurs(request)
            ? try await objects.storedResponse(to: request)
            : try await (next as? any StoredResponseLoading)?.storedResponse(to: request)
    }
}

/// Loads objects by signed requests.
private struct ObjectLoader: DataLoading {
    let client: S3Client

    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        // What somebody else has written leads to no object: the bucket is not theirs.
        guard request.trustedHost == nil else {
            throw LoadingError(
                .badAddress, "\(request.url.shortLabel) may not be loaded for another address.")
        }
        return try await client.send(request, to: S3Address(request.url))
    }
}
