import FoundationEssentials
internal import LazyBase

/// Makes the requests of a `RangeReader` and compares the responses with the first one.
final class RangeSource: Sendable {
    /// The use of the network.
    struct Counts {
        var bytes = 0
        var requests: Int
    }
    let counts: Locked<Counts>
    /// The size of the resource.
    let count: Int
    private let request: LoadRequest
    private let entityTag: String?
    private let lastModified: String?
    private let loader: any DataLoading

    /// `requests` is the number of those that have been made.
    init(
        _ request: LoadRequest, _ head: ResponseHead, _ count: Int, _ loader: any DataLoading,
        requests: Int = 1
    ) {
        counts = Locked(Counts(requests: requests))
        var request = request
        // Saves later requests the redirect, unless it leads to another host, which must not get the
        // header fields. The URL of a cached response lacks the user.
        if head.url.isOfSameOrigin(as: request.url),
            request.url.user() == nil || head.url.user() != nil
        {
            request.url = head.url
        }
        entityTag = head.headers["ETag"]
        lastModified = head.headers["Last-Modified"]
        // Only a strong validator is allowed (RFC 9110, 13.1.5).
        request.headers["If-Range"] =
            entityTag.flatMap { $0.hasPrefix("W/") ? nil : $0 }
            ?? (entityTag == nil ? lastModified : nil)
        request.maximumBytes = nil
        self.request = request
        self.count = count
        self.loader = loader
    }

    /// Fetches blocks and adds them to the store as they arrive.
    func run(_ fetch: RangeStore.Fetch, into store: RangeStore) async {
        do throws(LoadingError) {
            let range = store.bytes(of: fetch.blocks)
            try await load(range, into: store)
            store.didEnd(fetch, nil)
        } catch {
            store.didEnd(fetch, error, isFinal: error.code == .changed)
        }
    }

    private func load(_ range: Range<Int>, into store: RangeStore) async throws(LoadingError) {
        var request = request
        request.range = .bytes(range)
        counts.withLock { $0.requests += 1 }
        let response = try await loader.load(request)
        try check(response.head, range)
        var place = range.lowerBound
        var waiting: [UInt8] = []
        didReceiveHead(response.head)
        while place + waiting.count < range.upperBound, let piece = try await next(response.body) {
            waiting += piece.prefix(range.upperBound - place - waiting.count)
            let taken = store.take(waiting, at: place)
            waiting.removeFirst(taken)
            place += taken
        }
        guard place == range.upperBound else {
            throw LoadingError(
                .truncated,
                "The server sent \(place + waiting.count - range.lowerBound) of \(range.count)"
                    + " requested bytes.")
        }
    }

    /// All bytes of the first response.
    func collect(_ response: LoadResponse, _ most: Int) async throws(LoadingError) -> [UInt8] {
        var bytes: [UInt8] = []
        didReceiveHead(response.head)
        while bytes.count < most, let piece = try await next(response.body) { bytes += piece }
        guard bytes.count >= most else {
            throw LoadingError(
                .truncated, "The server sent \(bytes.count) of \(most) announced bytes.")
        }
        return Array(bytes.prefix(most))
    }

    // Bytes from a cache do not count.
    private func didReceiveHead(_ head: ResponseHead) {
        let stored =
            switch head.origin {
            case .network: 0
            case .resumed: head.resumedCount
            case .store, .revalidated, .stale, .local: head.expectedCount ?? 0
            }
        counts.withLock { $0.bytes -= stored }
    }

    private func next(_ body: LoadBody) async throws(LoadingError) -> [UInt8]? {
        let piece = try await body.next()
        if let piece { counts.withLock { $0.bytes += piece.count } }
        return piece
    }

    /// Throws `.changed` for another version, `.malformed` for other bytes than the requested ones.
    private func check(_ head: ResponseHead, _ range: Range<Int>) throws(LoadingError) {
        guard head.status == 206 else {
            throw changed("the server sent the whole file")
        }
        guard let content = head.contentRange, content.range.lowerBound == range.lowerBound else {
            throw LoadingError(
                .malformed, "The server responded with another range than the requested one.",
                status: 206)
        }
        if let whole = content.whole, whole != count { throw changed("its size differs") }
        if let tag = head.headers["ETag"], let entityTag, tag != entityTag {
            throw changed("its ETag differs")
        }
        if entityTag == nil, let date = head.headers["Last-Modified"], let lastModified,
            date != lastModified
        {
            throw changed("its date differs")
        }
    }

    private func changed(_ reason: String) -> LoadingError {
        LoadingError(.changed, "The file changed while it was being read: \(reason).")
    }
}

extension URL {
    fileprivate func isOfSameOrigin(as other: URL) -> Bool {
        scheme == other.scheme && host() == other.host() && port == other.port
    }
}
