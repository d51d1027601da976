import FoundationEssentials
internal import LazyBytes

/// Makes the requests of a `RangeReader` and holds their answers to the first one.
final class RangeSource: Sendable {
    /// What went over the network.
    struct Counts {
        var bytes = 0
        var requests = 1
    }
    let counts = Locked(Counts())
    /// The number of bytes of the whole.
    let count: Int
    private let request: LoadRequest
    private let entityTag: String?
    private let lastModified: String?
    private let loader: any DataLoading

    init(_ request: LoadRequest, _ head: ResponseHead, _ count: Int, _ loader: any DataLoading) {
        var request = request
        // Later requests need not be redirected again; header fields go to no other host for that.
        // What a store answered has lost the user.
        if head.url.isOfSameOrigin(as: request.url),
            request.url.user() == nil || head.url.user() != nil
        {
            request.url = head.url
        }
        entityTag = head.headers["ETag"]
        lastModified = head.headers["Last-Modified"]
        // Only a strong validator will do (RFC 9110, 13.1.5).
        request.headers["If-Range"] =
            entityTag.flatMap { $0.hasPrefix("W/") ? nil : $0 }
            ?? (entityTag == nil ? lastModified : nil)
        request.maximumBytes = nil
        self.request = request
        self.count = count
        self.loader = loader
    }

    /// Fetches blocks and hands them to the store as they come.
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
        didAnswer(response.head)
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
                    + " bytes that were asked for.")
        }
    }

    /// All bytes of the first answer.
    func collect(_ response: LoadResponse, _ most: Int) async throws(LoadingError) -> [UInt8] {
        var bytes: [UInt8] = []
        didAnswer(response.head)
        while bytes.count < most, let piece = try await next(response.body) { bytes += piece }
        guard bytes.count >= most else {
            throw LoadingError(
                .truncated, "The server sent \(bytes.count) of \(most) bytes that it announced.")
        }
        return Array(bytes.prefix(most))
    }

    // What a store has of an answer does not come over the network.
    private func didAnswer(_ head: ResponseHead) {
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

    /// Throws `.changed` for another version, `.malformed` for other bytes than were asked for.
    private func check(_ head: ResponseHead, _ range: Range<Int>) throws(LoadingError) {
        guard head.status == 206 else {
            throw changed("it is sent anew from its beginning")
        }
        guard let told = head.contentRange, told.range.lowerBound == range.lowerBound else {
            throw LoadingError(
                .malformed, "The server answered a request for a range with another one.",
                status: 206)
        }
        if let whole = told.whole, whole != count { throw changed("its size is another") }
        if let tag = head.headers["ETag"], let entityTag, tag != entityTag {
            throw changed("its ETag is another")
        }
        if entityTag == nil, let date = head.headers["Last-Modified"], let lastModified,
            date != lastModified
        {
            throw changed("its date is another")
        }
    }

    private func changed(_ sign: String) -> LoadingError {
        LoadingError(.changed, "The file changed while it was being read: \(sign).")
    }
}

extension URL {
    fileprivate func isOfSameOrigin(as other: URL) -> Bool {
        scheme == other.scheme && host() == other.host() && port == other.port
    }
}
