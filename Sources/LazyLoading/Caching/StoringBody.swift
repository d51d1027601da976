internal import LazyBase

extension CacheExchange {
    /// Passes a network response on, and stores it on the way if that is allowed.
    func store(
        _ response: LoadResponse, to request: LoadRequest, _ requestTime: WallTime
    ) async -> LoadResponse {
        let head = response.head
        guard [200, 203].contains(head.status) else { return response }
        let isStorable = Storability.isStorable(
            requestHeaders: request.headers, status: head.status, headers: head.headers,
            isShared: isShared, hasCredentials: request.hasCredentials)
        // RFC 9111, 5.2.2.5: a response that must not be stored may be kept in memory to be completed.
        let store = isStorable ? store : memory
        let stored = StoredResponse(
            head, to: request, requestTime: requestTime, responseTime: clocks.wall())
        let isResumable = request.isResumable && stored.isResumable
        guard isStorable || isHoldable(request, head), isResumable || !store.isVolatile,
            let writer = await store.makeWriter(for: request, stored)
        else { return response }
        let body = StoringBody(
            response.body, writer: writer, expectedCount: head.expectedCount,
            maximumCount: request.maximumBytes, isResumable: isResumable,
            isLent: !store.isVolatile)
        return LoadResponse(head: head, body: body.body)
    }

    /// Whether storing is forbidden only by the response's own `no-store`.
    private func isHoldable(_ request: LoadRequest, _ head: ResponseHead) -> Bool {
        !CacheControl(request.headers).isNoStore && !Vary(head.headers).isAny
            && CacheControl(head.headers).isNoStore
    }
}

/// Passes a body on while it is stored; after a partial download, the body that completes it.
final class StoringBody: Sendable {
    private struct State {
        var writer: (any EntryWriting)?
        // The written bytes after the writer has ended.
        var written: Blob?
        // A failed writer, retained because its bytes are still read.
        var failed: (any EntryWriting)?
        // The bytes after a failure, for a consumer that has used `stored` and so keeps nothing.
        var tail: [UInt8]?
        var wasStoredAsked = false
        var position = 0
    }
    private let state: Locked<State>
    private let source: LoadBody
    private let partialCount: Int
    private let expectedCount: Int?
    private let maximumCount: Int?
    private let isResumable: Bool
    private let isLent: Bool

    /// Takes ownership of a writer, whose bytes so far precede those of the source.
    ///
    /// `isLent`: whether the consumer may read the stored bytes instead of keeping a copy.
    init(
        _ source: LoadBody, writer: any EntryWriting, expectedCount: Int?, maximumCount: Int?,
        isResumable: Bool, isLent: Bool = true
    ) {
        self.source = source
        self.expectedCount = expectedCount
        self.maximumCount = maximumCount
        self.isResumable = isResumable
        self.isLent = isLent
        partialCount = writer.written.count
        state = Locked(State(writer: writer))
    }

    /// The body for the consumer.
    var body: LoadBody {
        LoadBody(stored: { self.isLent ? self.stored : nil }, end: { self.finish(isKept: true) }) {
            () async throws(LoadingError) in try await self.next()
        }
    }

    private func next() async throws(LoadingError) -> [UInt8]? {
        let (position, writer) = state.withLock { ($0.position, $0.writer) }
        if position < partialCount, let writer {
            return try await storedPiece(of: writer.written, at: position)
        }
        let piece: [UInt8]?
        do throws(LoadingError) { piece = try await source.next() } catch {
            finish(isKept: error.leavesPartialUsable)
            throw error
        }
        guard let piece else {
            try await end(at: position)
            return nil
        }
        if let maximumCount, position + piece.count > maximumCount {
            finish(isKept: false)
            throw LoadingError(.tooLarge, "The response is larger than \(maximumCount) bytes.")
        }
        await store(piece)
        return piece
    }

    private func storedPiece(
        of written: Blob, at position: Int
    ) async throws(LoadingError) -> [UInt8] {
        let count = min(1 << 18, partialCount - position)
        let piece = await BlockingPool.disk.run { try? written.bytes(at: position, count: count) }
        guard let piece, !piece.isEmpty else {
            finish(isKept: false)
            throw LoadingError(
                .truncated, "The partial download cannot be read; it is discarded.")
        }
        state.withLock { $0.position += piece.count }
        return piece
    }

    private func store(_ piece: [UInt8]) async {
        let (writer, position) = state.withLock { state in
            state.position += piece.count
            if state.writer == nil { state.tail?.append(contentsOf: piece) }
            return (state.writer, state.position)
        }
        guard let writer else { return }
        let isStored = await BlockingPool.disk.run { (try? writer.append(piece)) != nil }
        if isStored { return }
        // The load continues without the store; dropping the writer removes the entry.
        let written = writer.written
        let rest = written.slice(0..<min(position - piece.count, written.count))
        state.withLock {
            $0.writer = nil
            $0.failed = writer
            $0.written = rest
            $0.tail = $0.wasStoredAsked ? piece : nil
        }
    }

    private func end(at position: Int) async throws(LoadingError) {
        if let expectedCount, position != expectedCount {
            let isShort = position < expectedCount
            finish(isKept: isShort)
            throw LoadingError(
                isShort ? .truncated : .malformed,
                "The response ended at \(position) of \(expectedCount) bytes.")
        }
        guard position > 0, let writer = takeWriter() else { return }
        // Beyond the store's limit, or a full disk: the bytes remain readable, but no entry appears.
        let isStored = await BlockingPool.disk.run { (try? writer.commit()) != nil }
        let written = writer.written
        state.withLock {
            $0.written = written
            if !isStored { $0.failed = writer }
        }
    }

    private var stored: Blob? {
        let (writer, written, tail, position) = state.withLock { state in
            state.wasStoredAsked = true
            return (state.writer, state.written, state.tail, state.position)
        }
        if let writer { return writer.written }
        guard let written else { return nil }
        if written.count == position { return written }
        guard let tail, written.count + tail.count == position else { return nil }
        return Blob(joining: [written, Blob(tail)])
    }

    // Synchronous, so that a load after the body was dropped finds the partial download.
    private func finish(isKept: Bool) {
        guard let writer = takeWriter() else { return }
        let written = writer.written
        state.withLock { $0.written = written }
        if isKept, isResumable { writer.suspend() }
    }

    private func takeWriter() -> (any EntryWriting)? {
        state.withLock { state in
            defer { state.writer = nil }
            return state.writer
        }
    }
}

extension LoadingError {
    /// Whether the bytes received before this error are worth keeping.
    var leavesPartialUsable: Bool {
        ![.tooLarge, .malformed, .empty, .badAddress, .notFound, .redirect].contains(code)
            && ![404, 410].contains(status)
    }
}
