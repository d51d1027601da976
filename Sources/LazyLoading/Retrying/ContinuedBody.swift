internal import LazyBase

/// A body that continues with another request after an error.
///
/// A range of the same version is asked for where a validator tells the version. Without one the whole
/// is, and its beginning has to be what was received already: earlier pieces cannot be taken back.
final class ContinuedBody: Sendable {
    private struct State {
        var body: LoadBody
        var received = 0
        var sinceBreak = 0
        // For a response that begins again with the same version.
        var bytesToSkip = 0
        var wasContinued = false
        /// What was received, and what another response has sent of it; nil where a validator tells the version.
        var digests: Digests?
    }
    private struct Digests {
        var received = SHA256()
        var skipped = SHA256()

        var areEqual: Bool {
            var copy = self
            return copy.received.finish() == copy.skipped.finish()
        }
    }
    private let state: Locked<State>
    private let head: ResponseHead
    /// The validator by which a range continues; nil where the whole is asked for.
    private let ifRange: String?
    private let request: LoadRequest
    private let next: any DataLoading
    private let attempts: Attempts

    private init(
        _ response: LoadResponse, ifRange: String?, _ request: LoadRequest,
        _ next: any DataLoading, _ attempts: Attempts
    ) {
        let digests = ifRange == nil ? Digests() : nil
        state = Locked(State(body: response.body, digests: digests))
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
        guard request.isResumable, head.status == 200 || head.contentRange != nil,
            head.isIdentityCoded
        else { return response }
        let hasNoRanges = head.headers["Accept-Ranges"]?.trimmed.isSameField(as: "none") == true
        let ifRange = hasNoRanges ? nil : Validator(head.headers).ifRange
        // What has no length may never end.
        guard ifRange != nil || head.status == 200 && head.expectedCount != nil else {
            return response
        }
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
                if let rest = try take(piece) {
                    try checkSize()
                    return rest
                }
            } catch {
                if [.tooLarge, .changed].contains(error.code) { throw error }
                // All bytes have arrived: the error does not matter.
                if state.withLock({ $0.received }) == head.expectedCount { return nil }
                try await reconnect(after: error)
            }
        }
    }

    private func take(_ piece: [UInt8]) throws(LoadingError) -> [UInt8]? {
        try compare(piece)
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

    // Without a validator bytes are the same where their digest is.
    private func compare(_ piece: [UInt8]) throws(LoadingError) {
        let (digests, skipped) = state.withLock {
            ($0.digests, min($0.bytesToSkip, piece.count))
        }
        guard var digests else { return }
        if skipped > 0 { digests.skipped.update(Array(piece.prefix(skipped))) }
        let isLast = state.withLock { $0.bytesToSkip == skipped }
        if skipped > 0, isLast, !digests.areEqual {
            throw LoadingError(.changed, "The file changed while it was being read.")
        }
        if skipped < piece.count { digests.received.update(Array(piece.dropFirst(skipped))) }
        state.withLock { [digests] in $0.digests = digests }
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
                state.digests?.skipped = SHA256()
                state.wasContinued = true
                return state.body
            }
            // Dropped outside the lock: that ends its load.
            return withExtendedLifetime(old) {}
        }
    }

    private func remainder(from start: Int) -> LoadRequest {
        var rest = attempts.limited(request)
        for name in ["If-None-Match", "If-Modified-Since"] { rest.headers[name] = nil }
        guard let ifRange else { return rest }
        let end = head.contentRange?.range.upperBound
        rest.range = end.map { .bytes(start..<$0) } ?? .from(start)
        rest.headers["If-Range"] = ifRange
        return rest
    }

    // The bytes of a response to skip up to the current position; nil if it cannot continue.
    private func bytesToSkip(of next: ResponseHead, at start: Int) -> Int? {
        let (old, new) = (Validator(head.headers), Validator(next.headers))
        guard next.isIdentityCoded else { return nil }
        if ifRange == nil {
            let isSame = next.expectedCount == head.expectedCount && !old.isContradicted(by: new)
            return next.status == 200 && isSame ? start : nil
        }
        guard old.isSameVersion(as: new) else { return nil }
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
