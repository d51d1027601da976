public import FoundationEssentials
public import LazyBase

/// A loader that caches responses, or that wraps such a loader.
///
/// A wrapper returns the cache of the wrapped loader; if it does not conform, a pipeline cannot reach
/// the caches behind it.
public protocol ResponseCaching: DataLoading {
    /// The cached responses, or nil if none are cached.
    var responseCache: ResponseCache? { get }
}

/// The cached responses of a loader, which can be read and removed without loading.
///
/// Every method may block on the disk.
public struct ResponseCache: Sendable {
    /// The policy that replaces those of the requests, or nil.
    public var policy: FetchPolicy?
    private let exchange: CacheExchange

    init(_ exchange: CacheExchange) { self.exchange = exchange }

    /// The body that a load would get from here without contacting the server, or nil.
    public func body(for request: LoadRequest) -> Blob? {
        guard request.isForCache else { return nil }
        var request = request
        request.policy = policy ?? request.policy
        let responses = exchange.store.storedResponses(to: request)
        guard case .serve(let index, _) = exchange.decide(request, responses) else { return nil }
        let cached = responses[index]
        guard cached.body.count > 0 else { return nil }
        let head = ResponseHead(
            url: cached.response.url, headers: cached.response.headers,
            expectedCount: cached.body.count, origin: .store)
        return try? LoadResponse(head: head, blob: cached.body, for: request).body.stored
    }

    /// Removes the responses of a URL, with all variants and partial downloads.
    @discardableResult
    public func remove(at url: URL) -> RemovedEntries {
        remove(.variants(of: CacheKey.of(url)))
    }

    /// Removes the responses of all URLs that were requested with an identifier.
    ///
    /// Opens every entry of the store: about 10 ms for a thousand.
    @discardableResult
    public func remove(knownBy identifier: String) -> RemovedEntries {
        var groups: Set<String> = []
        _ = remove(
            .matching { key, metadata in
                let names = CacheRecord(metadata: metadata)?.identifiers ?? []
                if names.contains(identifier) { groups.insert(String(EntryGroup.of(key))) }
                return false
            })
        return groups.reduce(RemovedEntries()) { $0 + remove(.variants(of: $1)) }
    }

    /// Removes all responses and partial downloads.
    @discardableResult
    public func removeAll() -> RemovedEntries { remove(.all) }

    private func remove(_ choice: EntryChoice) -> RemovedEntries {
        [exchange.store, exchange.memory].reduce(RemovedEntries()) { removed, responses in
            removed + ((try? responses.store.remove(choice, kinds: .all)) ?? .failed)
        }
    }
}
