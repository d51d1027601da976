internal import LazyBase

extension StoredResponse {
    /// Whether a partial download of this response can be completed later (RFC 9110, 13.1.5, 14.3).
    var isResumable: Bool {
        let units = headers["Accept-Ranges"]?.fieldMembers.map { $0.lowercased() } ?? []
        return isIdentityCoded && !units.contains("none") && Validator(headers).ifRange != nil
            && [200, 206].contains(status)
    }
}

extension CacheExchange {
    /// Continues a partial download; removes it and returns nil if it is of no use.
    func resume(
        _ request: LoadRequest, _ partial: PartialResponse
    ) async throws(LoadingError) -> LoadResponse? {
        let (writer, old) = (partial.writer, partial.response)
        let count = writer.written.count
        guard count > 0, old.isResumable, let ifRange = Validator(old.headers).ifRange,
            Vary(old.headers).matches(request.storedHeaders, old.selectingHeaders),
            count <= old.wholeCount ?? .max, count <= request.maximumBytes ?? .max
        else { return nil }
        if count == old.wholeCount { return try await complete(request, partial) }

        var rest = request
        rest.range = .from(count)
        rest.headers["If-Range"] = ifRange
        let requestTime = clocks.wall()
        let response: LoadResponse
        do throws(LoadingError) { response = try await next.load(rest) } catch {
            if error.refusesRange { return nil }
            if error.leavesPartialUsable { writer.suspend() }
            throw error
        }
        let head = response.head
        switch head.status {
        case 206:
            guard old.isContinued(by: head, at: count) else { return nil }
            return continued(response, request, partial, requestTime)
        case 200:
            // Makes room, so that the new download can be suspended and resumed.
            writer.discard()
            return await store(response, to: request, requestTime)
        case 416:
            let isWhole = head.headers["Content-Range"]?.trimmed == "bytes */\(count)"
            let isSame = Validator(old.headers).isSameVersion(as: Validator(head.headers))
            return isWhole && isSame ? try await complete(request, partial) : nil
        default: return nil
        }
    }

    private func continued(
        _ response: LoadResponse, _ request: LoadRequest, _ partial: PartialResponse,
        _ requestTime: WallTime
    ) -> LoadResponse {
        let count = partial.writer.written.count
        var stored = partial.response
        stored.update(
            from: response.head, requestTime: requestTime, responseTime: clocks.wall())
        stored.url = response.head.url.withoutUser
        stored.wholeCount = response.head.contentRange?.whole ?? stored.wholeCount
        var record = partial.record
        record.response = stored
        _ = record.note(request.identifier)
        partial.writer.setMetadata(record.metadata)
        let body = StoringBody(
            response.body, writer: partial.writer, expectedCount: stored.wholeCount,
            maximumCount: request.maximumBytes, isResumable: request.isResumable,
            isLent: !partial.isVolatile)
        var head = ResponseHead(
            url: response.head.url, headers: stored.headers, expectedCount: stored.wholeCount,
            origin: .resumed, resumedCount: count)
        head.isPrivate = stored.isPrivate
        return LoadResponse(head: head, body: body.body)
    }

    // Interrupted after the last byte: nothing is missing.
    private func complete(
        _ request: LoadRequest, _ partial: PartialResponse
    ) async throws(LoadingError) -> LoadResponse? {
        let writer = partial.writer
        let isStored = await BlockingPool.disk.run { (try? writer.commit()) != nil }
        guard isStored else { return nil }
        return try await loadStored(request)
    }
}

extension StoredResponse {
    // RFC 9110, 15.3.7: the part must begin at the current position, in the same version.
    func isContinued(by head: ResponseHead, at count: Int) -> Bool {
        guard let place = head.contentRange, place.range.lowerBound == count else { return false }
        if let whole = place.whole, let wholeCount, whole != wholeCount { return false }
        if let whole = place.whole, place.range.upperBound > whole { return false }
        let coding = head.headers["Content-Encoding"]?.trimmed.lowercased() ?? "identity"
        guard coding == "identity" else { return false }
        // A server that supports If-Range sends the validator; without it nothing is certain.
        return Validator(headers).isSameVersion(as: Validator(head.headers))
    }
}
