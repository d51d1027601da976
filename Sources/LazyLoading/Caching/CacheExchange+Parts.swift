internal import LazyBase

// Responses of which only parts are stored: by ranges, and by interrupted loads.
extension CacheExchange {
    /// Responds to a range request from stored parts and from the network.
    func loadPart(
        _ request: LoadRequest, _ cached: [CachedResponse], _ decision: CacheDecision
    ) async throws(LoadingError) -> LoadResponse {
        if case .revalidate(let index, let conditions, _) = decision,
            request.headers["If-Range"] == nil
        {
            return try await validate(request, cached[index], conditions: conditions)
        }
        guard request.isResumable, let part = await store.part(for: request),
            let range = request.range?.resolved(in: part.entry.count), !range.isEmpty
        else { return try await loadPartAnew(request) }
        let isPresent = await BlockingPool.disk.run { part.holds(range) }
        let decision = PartDecision.decide(
            request, part.response, isPresent: isPresent, isShared: isShared, now: clocks.wall())
        switch decision {
        case .unavailable: throw .notCached(request)
        case .serve: return serve(part, range, to: request, as: .store)
        case .validate(let conditions):
            return try await validate(request, part, range, conditions)
        case .fill:
            if let response = try await fill(request, part, range) { return response }
        case .load: break
        }
        return try await loadPartAnew(request)
    }

    /// Loads a range from the network and stores it; also the whole body that some servers send.
    private func loadPartAnew(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        let requestTime = clocks.wall()
        return await keep(try await next.load(request), of: request, requestTime)
    }

    /// Responds with a whole body of which parts are stored; nil if they are of no use.
    func loadRest(
        _ request: LoadRequest, _ part: Part
    ) async throws(LoadingError) -> LoadResponse? {
        let count = part.entry.count
        if let most = request.maximumBytes, count > most {
            part.entry.close()
            return nil
        }
        guard await BlockingPool.disk.run({ part.holds(0..<count) }) else {
            return try await fill(request, part, 0..<count)
        }
        // Interrupted after the last byte: nothing is missing.
        let entry = part.entry
        guard await BlockingPool.disk.run({ (try? entry.commit()) != nil }) else { return nil }
        return try await loadStored(request)
    }

    private func serve(
        _ part: Part, _ range: Range<Int>, to request: LoadRequest, as origin: ResponseHead.Origin
    ) -> LoadResponse {
        respond(request, part, range, first: nil, origin, storedCount: range.count)
    }

    private func validate(
        _ request: LoadRequest, _ part: Part, _ range: Range<Int>, _ conditions: HTTPHeaders
    ) async throws(LoadingError) -> LoadResponse {
        var (networkRequest, part) = (request, part)
        for field in conditions.fields { networkRequest.headers[field.name] = field.value }
        let requestTime = clocks.wall()
        let response = try await next.load(networkRequest)
        let news = Validator(response.head.headers)
        guard response.head.status == 304 else {
            return await keep(response, of: request, requestTime)
        }
        guard !Validator(part.response.headers).isContradicted(by: news) else {
            part.entry.discard()
            return try await loadPartAnew(request)
        }
        part.update(from: response.head, requestTime: requestTime, responseTime: clocks.wall())
        return serve(part, range, to: request, as: .revalidated)
    }

    /// Responds with stored parts of a range and loads the rest; nil if they are of no use.
    private func fill(
        _ request: LoadRequest, _ part: Part, _ range: Range<Int>
    ) async throws(LoadingError) -> LoadResponse? {
        var part = part
        let missing = await BlockingPool.disk.run { [part] in part.firstMissing(in: range) }
        guard let missing, let missingRequest = Self.missingRequest(request, part, missing) else {
            return nil
        }
        let requestTime = clocks.wall()
        let response: LoadResponse
        do throws(LoadingError) { response = try await next.load(missingRequest) } catch {
            if error.refusesRange || !error.leavesPartialUsable { part.entry.discard() }
            if error.refusesRange { return nil }
            part.entry.close()
            throw error
        }
        guard response.head.status == 206,
            part.response.isContinued(by: response.head, at: missing.lowerBound)
        else {
            part.entry.discard()
            guard response.head.status == 200 else { return nil }
            return await keep(response, of: request, requestTime)
        }
        part.update(from: response.head, requestTime: requestTime, responseTime: clocks.wall())
        let present = await BlockingPool.disk.run { [part] in
            part.presentCount(in: range, known: missing)
        }
        return respond(
            request, part, range, first: .init(range: missing, body: response.body), .resumed,
            storedCount: present)
    }

    /// The request for missing bytes of the stored version.
    private static func missingRequest(
        _ request: LoadRequest, _ part: Part, _ missing: Range<Int>
    ) -> LoadRequest? {
        guard let version = Validator(part.response.headers).ifRange else { return nil }
        var question = request
        question.maximumBytes = nil
        // Up to the end if possible, for servers that only support such ranges.
        question.range =
            missing.upperBound == part.entry.count && !request.isBounded
            ? .from(missing.lowerBound) : .bytes(missing)
        question.headers["If-Range"] = version
        return question
    }

    private func respond(
        _ request: LoadRequest, _ part: Part, _ range: Range<Int>, first: FillingBody.Run?,
        _ origin: ResponseHead.Origin, storedCount: Int
    ) -> LoadResponse {
        let next = next
        let body = FillingBody(part.entry, range, first: first) {
            (missing) async throws(LoadingError) -> LoadBody in
            guard let missingRequest = Self.missingRequest(request, part, missing) else {
                throw part.changed()
            }
            let response = try await next.load(missingRequest)
            guard response.head.status == 206,
                part.response.isContinued(by: response.head, at: missing.lowerBound)
            else { throw part.changed() }
            return response.body
        }
        let (old, count) = (part.response, part.entry.count)
        let isPart = request.range != nil
        var head = ResponseHead(
            url: request.url.withoutUser == old.url ? request.url : old.url,
            status: isPart ? 206 : 200, headers: old.headers, expectedCount: range.count,
            contentRange: isPart ? (range, count) : nil, origin: origin,
            resumedCount: origin == .resumed ? storedCount : 0)
        head.headers["Content-Length"] = String(range.count)
        head.isPrivate = old.isPrivate
        let age = Freshness(of: old, isShared: isShared, now: clocks.wall()).age
        if origin != .resumed { head.headers["Age"] = String(age.components.seconds) }
        return LoadResponse(head: head, body: body.body)
    }

    // MARK: - Keeping

    /// Passes the response to a range request on, and stores it on the way if that is allowed.
    func keep(
        _ response: LoadResponse, of request: LoadRequest, _ requestTime: WallTime
    ) async -> LoadResponse {
        let head = response.head
        if head.status != 206 {
            var whole = request
            whole.range = nil
            whole.headers["If-Range"] = nil
            return await store(response, to: whole, requestTime)
        }
        guard request.isResumable, head.status == 206, let (range, whole) = head.contentRange,
            let whole, range.upperBound <= whole, !range.isEmpty,
            Storability.isStorable(
                requestHeaders: request.headers, status: 200, headers: head.headers,
                isShared: isShared, hasCredentials: request.hasCredentials)
        else { return response }
        var stored = StoredResponse(
            head, to: request, requestTime: requestTime, responseTime: clocks.wall())
        stored.status = 200
        stored.headers["Content-Length"] = String(whole)
        guard stored.isResumable, stored.wholeCount == whole,
            let part = await store.part(for: request, of: stored), part.entry.hasRoom
        else { return response }
        let body = FillingBody(
            part.entry, range, first: .init(range: range, body: response.body)
        ) { _ async throws(LoadingError) -> LoadBody in
            throw LoadingError(.truncated, "The response ended early.")
        }
        return LoadResponse(head: head, body: body.body)
    }
}

extension Part {
    /// The number of stored bytes of a range whose first missing bytes are known.
    fileprivate func presentCount(in range: Range<Int>, known missing: Range<Int>) -> Int {
        var count = missing.lowerBound - range.lowerBound
        var place = missing.upperBound
        while place < range.upperBound {
            let end = min(range.upperBound, entry.presentEnd(from: place))
            count += end - place
            place = end < range.upperBound ? entry.missingEnd(from: end) : end
        }
        return count
    }

    /// Discards parts that cannot be completed, and returns the error.
    fileprivate func changed() -> LoadingError {
        entry.discard()
        return LoadingError(.changed, "The file changed while it was being read.")
    }
}

extension LoadRequest {
    fileprivate var isBounded: Bool {
        if case .bytes = range { return true }
        return false
    }
}
