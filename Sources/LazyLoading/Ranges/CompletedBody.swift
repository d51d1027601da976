internal import LazyBase

/// The requests for the parts of one response.
struct Parts: Sendable {
    private let request: LoadRequest
    private let next: any DataLoading
    /// Whether ranges are asked for without their end.
    let isOpen: Bool
    private let clock = SystemSteadyClock()
    private let deadline: Duration?

    init(_ request: LoadRequest, _ next: any DataLoading, isOpen: Bool) {
        self.request = request
        self.next = next
        self.isOpen = isOpen
        deadline = request.totalTimeout.map { SystemSteadyClock().now + $0 }
    }

    /// Asks for all bytes from a place on.
    func load(from start: Int) async throws(LoadingError) -> LoadResponse {
        try await load(.from(start))
    }

    /// Asks for the rest of a range.
    func load(rest: Range<Int>, toEnd: Bool) async throws(LoadingError) -> LoadResponse {
        try await load(isOpen || toEnd ? .from(rest.lowerBound) : .bytes(rest))
    }

    private func load(_ range: ByteRange) async throws(LoadingError) -> LoadResponse {
        var request = request
        request.range = range
        // The consumer reads no more than the limit; the server may send more of an open range.
        request.maximumBytes = nil
        if let deadline {
            request.totalTimeout = max(.milliseconds(1), deadline - clock.now)
        }
        return try await next.load(request)
    }

    /// A response that has all bytes of a range, as far as they exist; unchanged if it is no part of it.
    ///
    /// `asWhole` makes it the answer to a request without a range.
    func completed(
        _ response: LoadResponse, _ wanted: Range<Int>, asWhole: Bool = false
    ) -> LoadResponse {
        var head = response.head
        guard head.status == 206, head.isIdentityCoded, let place = head.contentRange,
            let whole = place.whole, place.range.lowerBound == wanted.lowerBound,
            wanted.lowerBound < min(wanted.upperBound, whole)
        else { return response }
        let range = wanted.lowerBound..<min(wanted.upperBound, whole)
        head.expectedCount = range.count
        head.headers["Content-Length"] = String(range.count)
        if asWhole {
            head.status = 200
            head.contentRange = nil
            head.headers["Content-Range"] = nil
        } else {
            head.contentRange = (range, whole)
            head.headers["Content-Range"] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole)"
        }
        let body = CompletedBody(response, range, whole, self)
        return LoadResponse(
            head: head,
            body: LoadBody { () async throws(LoadingError) in try await body.next() })
    }
}

/// A body of the bytes of a range, from as many responses as the server needs for it.
final class CompletedBody: Sendable {
    private struct State {
        var body: LoadBody?
        var position: Int
        /// Where the present part began.
        var begin: Int
    }
    private let state: Locked<State>
    private let range: Range<Int>
    private let whole: Int
    private let head: ResponseHead
    private let parts: Parts

    init(_ response: LoadResponse, _ range: Range<Int>, _ whole: Int, _ parts: Parts) {
        state = Locked(
            State(body: response.body, position: range.lowerBound, begin: range.lowerBound))
        head = response.head
        self.range = range
        self.whole = whole
        self.parts = parts
    }

    /// The next piece, nil behind the range.
    func next() async throws(LoadingError) -> [UInt8]? {
        while let body = state.withLock({ $0.body }) {
            guard let piece = try await body.next() else {
                try await askOn()
                continue
            }
            let room = range.upperBound - state.withLock { $0.position }
            let wanted = piece.count <= room ? piece : Array(piece.prefix(room))
            let isOver = state.withLock { state in
                state.position += wanted.count
                return state.position == range.upperBound
            }
            if isOver { end(body) }
            return wanted
        }
        return nil
    }

    /// Drops the body, which ends a load that goes on behind the range.
    private func end(_ body: LoadBody) {
        state.withLock { $0.body = nil }
        withExtendedLifetime(body) {}
    }

    private func askOn() async throws(LoadingError) {
        let (position, count) = state.withLock { ($0.position, $0.position - $0.begin) }
        // A server could send byte after byte for ever.
        guard count >= RetryPolicy.progressThatCounts else { throw incomplete(at: position) }
        let response = try await parts.load(
            rest: position..<range.upperBound, toEnd: range.upperBound == whole)
        let next = response.head
        guard next.status == 206, let place = next.contentRange,
            place.range.lowerBound == position
        else { throw incomplete(at: position) }
        guard next.isIdentityCoded, place.whole ?? whole == whole,
            !Validator(head.headers).isContradicted(by: Validator(next.headers))
        else {
            throw LoadingError(.changed, "The file changed while it was being read.")
        }
        let old = state.withLock { state in
            defer { (state.body, state.begin) = (response.body, position) }
            return state.body
        }
        // Dropped outside the lock: that ends its load.
        withExtendedLifetime(old) {}
    }

    private func incomplete(at position: Int) -> LoadingError {
        LoadingError(
            .truncated,
            "The server sent \(position - range.lowerBound) of \(range.count) requested bytes.")
    }
}
