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
    /// Whether the server sends more than was asked for, so that reading ahead would cost much.
    let sendsMore = Locked(false)
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

    /// The requests for what is missing of the whole.
    var parts: Parts { Parts(request, loader, isOpen: false) }

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

    /// Asks until all bytes of a range are there, as long as the answers bring enough of them.
    private func load(_ range: Range<Int>, into store: RangeStore) async throws(LoadingError) {
        var filling = Filling(place: range.lowerBound)
        while filling.end < range.upperBound {
            let begin = filling.end
            do throws(LoadingError) {
                try await ask(range, &filling, into: store)
            } catch {
                guard error.isTransient, filling.end - begin >= RetryPolicy.progressThatCounts
                else { throw error }
            }
        }
    }

    private func ask(
        _ range: Range<Int>, _ filling: inout Filling, into store: RangeStore
    ) async throws(LoadingError) {
        let asked = filling.end
        var request = request
        request.range = .bytes(asked..<range.upperBound)
        counts.withLock { $0.requests += 1 }
        let response = try await loader.load(request)
        let answer = try place(of: response.head, asked)
        didReceiveHead(response.head)
        var (skipped, end) = (asked - answer.lowerBound, range.upperBound)
        if answer.lowerBound < filling.place {
            // What the server sends anyway is kept to its end, so that it is sent once.
            let start = store.startOfBlock(atOrAfter: answer.lowerBound)
            filling = Filling(place: start)
            skipped = start - answer.lowerBound
            let isFirst = sendsMore.withLock { sendsMore in
                defer { sendsMore = true }
                return !sendsMore
            }
            if isFirst, store.holdsAll { end = max(end, min(answer.upperBound, count)) }
        }
        while filling.end < end, let piece = try await next(response.body) {
            let rest = skipped == 0 ? piece[...] : piece.dropFirst(skipped)
            skipped = max(0, skipped - piece.count)
            filling.add(rest.prefix(end - filling.end), to: store)
        }
        guard filling.end >= range.upperBound else {
            throw LoadingError(
                .truncated,
                "The server sent \(max(0, filling.end - range.lowerBound)) of \(range.count)"
                    + " requested bytes.")
        }
    }

    /// The first bytes of the first response, at most `most`; fewer if it breaks off.
    func collect(_ response: LoadResponse, _ most: Int) async throws(LoadingError) -> [UInt8] {
        var bytes: [UInt8] = []
        didReceiveHead(response.head)
        do throws(LoadingError) {
            while bytes.count < most, let piece = try await next(response.body) { bytes += piece }
        } catch {
            guard error.isTransient, !bytes.isEmpty else { throw error }
        }
        guard !bytes.isEmpty || most == 0 else {
            throw LoadingError(.truncated, "The server sent none of \(most) announced bytes.")
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

    /// The bytes of an answer, which has those at a place.
    ///
    /// Throws `.changed` for another version, `.malformed` for other bytes than the requested ones.
    private func place(of head: ResponseHead, _ asked: Int) throws(LoadingError) -> Range<Int> {
        try check(head)
        guard head.status == 206 else { return 0..<count }
        guard let content = head.contentRange, content.range.contains(asked) else {
            throw LoadingError(
                .malformed, "The server responded with another range than the requested one.",
                status: 206)
        }
        return content.range
    }

    private func check(_ head: ResponseHead) throws(LoadingError) {
        guard head.status == 206 || isSame(whole: head) else {
            throw changed("the server sent the whole file")
        }
        if let whole = head.contentRange?.whole, whole != count {
            throw changed("its size differs")
        }
        if let tag = head.headers["ETag"], let entityTag, tag != entityTag {
            throw changed("its ETag differs")
        }
        if entityTag == nil, let date = head.headers["Last-Modified"], let lastModified,
            date != lastModified
        {
            throw changed("its date differs")
        }
    }

    /// Whether a response without ranges is of the same version, as servers send it that have no ranges now and then.
    private func isSame(whole head: ResponseHead) -> Bool {
        head.status == 200 && head.expectedCount == count && head.isIdentityCoded
            && head.headers["ETag"] == entityTag && head.headers["Last-Modified"] == lastModified
    }

    private func changed(_ reason: String) -> LoadingError {
        LoadingError(.changed, "The file changed while it was being read: \(reason).")
    }
}

/// Bytes that arrive in order, of which whole blocks go to a store.
private struct Filling {
    /// The place behind those that the store has.
    var place: Int
    private var waiting: [UInt8] = []

    init(place: Int) { self.place = place }

    /// The place behind the last byte.
    var end: Int { place + waiting.count }

    mutating func add(_ piece: ArraySlice<UInt8>, to store: RangeStore) {
        waiting += piece
        let taken = store.take(waiting, at: place)
        waiting.removeFirst(taken)
        place += taken
    }
}

extension URL {
    fileprivate func isOfSameOrigin(as other: URL) -> Bool {
        scheme == other.scheme && host() == other.host() && port == other.port
    }
}
