internal import LazyBase

/// A body that continues with another request after an error.
final class ContinuedBody: Sendable {
    private struct State {
        var body: LoadBody
        var received = 0
        var sinceBreak = 0
        // For a response that begins again with the same version.
        var bytesToSkip = 0
        var wasContinued = false
    }
    private let state: Locked<State>
    private let head: ResponseHead
    private let ifRange: String
    private let request: LoadRequest
    private let next: any DataLoading
    private let attempts: Attempts

    private init(
        _ response: LoadResponse, ifRange: String, _ request: LoadRequest,
        _ next: any DataLoading, _ attempts: Attempts
    ) {
        state = Locked(State(body: response.body))
        head = response.head
        self.ifRange = ifRange
        self.request = request
        self.next = next
        self.attempts = attempts
    }

    /// The response with such a body; unchanged if it could not be continued correctly.
    static func continuing(
        _ response: LoadResponse, _ request: LoadRequest, _ next: any DataLoading,
        _ attempts: Attempts
    ) -> LoadResponse {
        let head = response.head
        guard request.isResumable, let ifRange = Validator(head.headers).ifRange,
            head.status == 200 || head.contentRange != nil, head.isIdentityCoded,
            head.headers["Accept-Ranges"]?.trimmed.isSameField(as: "none") != true
        else { return response }
        let continued = ContinuedBody(response, ifRange: ifRange, request, next, attempts)
        let body = LoadBody { () async throws(LoadingError) in try await continued.next() }
        return LoadResponse(head: head, body: body)
    }

    private func next() async throws(LoadingError) -> [UInt8]? {
        while true {
            do throws(LoadingError) {
                if isPartWhole { return nil }
                guard let piece = try await state.withLock({ $0.body }).next() else {
                    try checkEnd()
                    return nil
                }
                if let rest = take(piece) {
                    try checkSize()
                    return rest
                }
            } catch {
                if error.code == .tooLarge { throw error }
                // All bytes have arrived: the error does not matter.
                if state.withLock({ $0.received }) == head.expectedCount { return nil }
                try await reconnect(after: error)
            }
        }
    }

    private func take(_ piece: [UInt8]) -> [UInt8]? {
        let wanted = head.contentRange?.range.count
        let (rest, hasProgress) = state.withLock { state -> ([UInt8], Bool) in
            let skipped = min(state.bytesToSkip, piece.count)
            state.bytesToSkip -= skipped
            // A response that begins again may continue beyond the end of the range.
            let room = state.wasContinued ? wanted.map { max(0, $0 - state.received) } : nil
            let rest =
                skipped == 0 && room == nil
                ? piece : Array(piece.dropFirst(skipped).prefix(room ?? .max))
            state.received += rest.count
            state.sinceBreak += rest.count
            return (rest, state.sinceBreak >= RetryPolicy.progressThatCounts)
        }
        if hasProgress { attempts.reset() }
        return rest.isEmpty ? nil : rest
    }

    // Only after an error: the first response must end by itself.
    private var isPartWhole: Bool {
        state.withLock { state in
            state.wasContinued && state.received == head.contentRange?.range.count
        }
    }

    // The limit applies to all requests together.
    private func checkSize() throws(LoadingError) {
        guard let limit = request.maximumBytes, state.withLock({ $0.received }) > limit else {
            return
        }
        throw LoadingError(
            .tooLarge, "\(request.url.shortLabel) is larger than \(limit) bytes.")
    }

    private func checkEnd() throws(LoadingError) {
        let received = state.withLock { $0.received }
        guard let expected = head.expectedCount, received < expected else { return }
        throw LoadingError(.truncated, "The response ended at \(received) of \(expected) bytes.")
    }

    private func reconnect(after failure: LoadingError) async throws(LoadingError) {
        var failure = failure
        state.withLock { $0.sinceBreak = 0 }
        while true {
            try await attempts.wait(after: failure)
            let start = (head.contentRange?.range.lowerBound ?? 0) + state.withLock { $0.received }
            let response: LoadResponse
            do throws(LoadingError) { response = try await next.load(remainder(from: start)) } catch
            {
                failure = error
                continue
            }
            // A changed resource ends the load: earlier pieces cannot be taken back.
            guard let skipped = bytesToSkip(of: response.head, at: start) else { throw failure }
            let old = state.withLock { state in
                defer { state.body = response.body }
                state.bytesToSkip = skipped
                state.wasContinued = true
                return state.body
            }
            // Dropped outside the lock: that ends its load.
            return withExtendedLifetime(old) {}
        }
    }

    private func remainder(from start: Int) -> LoadRequest {
        var rest = attempts.limited(request)
        let end = head.contentRange?.range.upperBound
        rest.range = end.map { .bytes(start..<$0) } ?? .from(start)
        for name in ["If-None-Match", "If-Modified-Since"] { rest.headers[name] = nil }
        rest.headers["If-Range"] = ifRange
        return rest
    }

    // The bytes of a response to skip up to the current position; nil if it cannot continue.
    private func bytesToSkip(of next: ResponseHead, at start: Int) -> Int? {
        guard next.isIdentityCoded,
            Validator(head.headers).isSameVersion(as: Validator(next.headers))
        else { return nil }
        if next.status == 200 { return start }
        guard next.status == 206, let content = next.contentRange,
            content.range.lowerBound == start
        else { return nil }
        let whole = head.contentRange.map(\.whole) ?? head.expectedCount
        if let whole, let other = content.whole, whole != other { return nil }
        return 0
    }
}

extension ResponseHead {
    /// Whether the body has no content coding that is decoded.
    var isIdentityCoded: Bool {
        headers["Content-Encoding"]?.trimmed.isSameField(as: "identity") ?? true
    }
}
