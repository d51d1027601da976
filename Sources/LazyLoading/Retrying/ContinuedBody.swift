internal import LazyBytes

/// A body that goes on with another request where it breaks.
final class ContinuedBody: Sendable {
    private struct State {
        var body: LoadBody
        var received = 0
        var sinceBreak = 0
        // Of an answer that begins anew with the same version.
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

    /// The answer with a body that goes on; unchanged where it could not be continued rightly.
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
                // All is here, whatever the connection says now.
                if state.withLock({ $0.received }) == head.expectedCount { return nil }
                try await reconnect(after: error)
            }
        }
    }

    private func take(_ piece: [UInt8]) -> [UInt8]? {
        let wanted = head.contentRange?.range.count
        let (rest, isOnItsWay) = state.withLock { state -> ([UInt8], Bool) in
            let skipped = min(state.bytesToSkip, piece.count)
            state.bytesToSkip -= skipped
            // An answer that begins anew may go on behind the end of a part.
            let room = state.wasContinued ? wanted.map { max(0, $0 - state.received) } : nil
            let rest =
                skipped == 0 && room == nil
                ? piece : Array(piece.dropFirst(skipped).prefix(room ?? .max))
            state.received += rest.count
            state.sinceBreak += rest.count
            return (rest, state.sinceBreak >= RetryPolicy.progressThatCounts)
        }
        if isOnItsWay { attempts.countAnew() }
        return rest.isEmpty ? nil : rest
    }

    // Only after a break: the first answer is to end by itself.
    private var isPartWhole: Bool {
        state.withLock { state in
            state.wasContinued && state.received == head.contentRange?.range.count
        }
    }

    // Each request has its share only; together they may bring more.
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
        throw LoadingError(.truncated, "The answer ended at \(received) of \(expected) bytes.")
    }

    private func reconnect(after failure: LoadingError) async throws(LoadingError) {
        var failure = failure
        state.withLock { $0.sinceBreak = 0 }
        while true {
            try await attempts.wait(after: failure)
            let start = (head.contentRange?.range.lowerBound ?? 0) + state.withLock { $0.received }
            let response: LoadResponse
            do throws(LoadingError) { response = try await next.load(question(from: start)) } catch
            {
                failure = error
                continue
            }
            // A changed resource ends the load: what was handed out cannot be taken back.
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

    private func question(from start: Int) -> LoadRequest {
        var question = attempts.limited(request)
        let end = head.contentRange?.range.upperBound
        question.range = end.map { .bytes(start..<$0) } ?? .from(start)
        for name in ["If-None-Match", "If-Modified-Since"] { question.headers[name] = nil }
        question.headers["If-Range"] = ifRange
        return question
    }

    // What to leave out of an answer so that it goes on where we are; nil where it does not.
    private func bytesToSkip(of answer: ResponseHead, at start: Int) -> Int? {
        guard answer.isIdentityCoded,
            Validator(head.headers).isSameVersion(as: Validator(answer.headers))
        else { return nil }
        if answer.status == 200 { return start }
        guard answer.status == 206, let place = answer.contentRange,
            place.range.lowerBound == start
        else { return nil }
        let whole = head.contentRange.map(\.whole) ?? head.expectedCount
        if let whole, let told = place.whole, whole != told { return nil }
        return 0
    }
}

extension ResponseHead {
    /// Whether the body comes as it is, without a content coding that is undone on the way.
    var isIdentityCoded: Bool {
        headers["Content-Encoding"]?.trimmed.isSameField(as: "identity") ?? true
    }
}
