internal import LazyBytes
internal import LazyCache

/// What is stored of an answer of which bytes are missing.
struct Part: Sendable {
    let entry: any EntryFilling
    /// What the server has told of it; what is put in its place is stored with the bytes.
    var response: StoredResponse {
        didSet {
            var record = CacheRecord(metadata: entry.metadata) ?? CacheRecord(response: nil)
            record.response = response
            entry.setMetadata(record.metadata)
        }
    }

    /// Takes an entry; nil where it is none that can be made whole.
    init?(_ entry: any EntryFilling) {
        guard let response = CacheRecord(metadata: entry.metadata)?.response, response.isResumable,
            response.wholeCount == entry.count
        else { return nil }
        self.entry = entry
        self.response = response
    }

    /// The size that a record tells of the whole, or nil.
    static func wholeCount(_ metadata: [UInt8]) -> Int? {
        CacheRecord(metadata: metadata)?.response?.wholeCount
    }

    /// Whether it is of the answer that a request would get.
    func fits(_ request: LoadRequest) -> Bool {
        Vary(response.headers).matches(request.storedHeaders, response.selectingHeaders)
    }

    /// Whether another answer is surely of the same bytes.
    func isSameVersion(as other: StoredResponse) -> Bool {
        other.wholeCount == entry.count
            && Validator(response.headers).isSameVersion(as: Validator(other.headers))
    }

    /// Whether all bytes of a range are there.
    func holds(_ range: Range<Int>) -> Bool {
        entry.presentEnd(from: range.lowerBound) >= range.upperBound
    }

    /// The first bytes of a range that are missing, or nil.
    func firstMissing(in range: Range<Int>) -> Range<Int>? {
        let start = entry.presentEnd(from: range.lowerBound)
        guard start < range.upperBound else { return nil }
        return start..<min(range.upperBound, entry.missingEnd(from: start))
    }

    /// Takes over what a newer answer of the same version tells.
    mutating func update(
        from head: ResponseHead, requestTime: WallTime, responseTime: WallTime
    ) {
        response.update(from: head, requestTime: requestTime, responseTime: responseTime)
    }
}

/// What is done with a request for bytes of which some are stored.
enum PartDecision: Hashable, Sendable {
    /// Answer with the bytes that are there.
    case serve
    /// Ask with these fields whether what is there is still right.
    case validate(HTTPHeaders)
    /// Answer with what is there, and load what is missing of the same version.
    case fill
    /// Load what is asked for, as if nothing were there.
    case load
    /// The network may not be asked, and something is missing.
    case unavailable

    /// Decides; `isPresent` says whether all bytes asked for are there.
    static func decide(
        _ request: LoadRequest, _ response: StoredResponse, isPresent: Bool, isShared: Bool = false,
        now: WallTime
    ) -> PartDecision {
        if request.policy == .reload || request.policy == .noCache { return .load }
        if let version = request.headers["If-Range"] {
            // Who goes on with one version has had it validated, and wants the bytes of that one.
            guard version == Validator(response.headers).ifRange else { return .load }
            return isPresent ? .serve : request.policy == .cacheOnly ? .unavailable : .fill
        }
        switch CacheDecision.decide(
            request, stored: [response], isShared: isShared, now: now)
        {
        case .unavailable: return .unavailable
        case .serve:
            if isPresent { return .serve }
            return request.policy == .cacheOnly ? .unavailable : .fill
        case .revalidate(_, let conditions, _): return isPresent ? .validate(conditions) : .fill
        case .load: return isPresent ? .load : .fill
        }
    }
}
