internal import LazyBase

/// A stored response of which bytes are missing.
struct Part: Sendable {
    let entry: any EntryFilling
    /// The head of the response; a new value is stored with the bytes.
    var response: StoredResponse {
        didSet {
            var record = CacheRecord(metadata: entry.metadata) ?? CacheRecord(response: nil)
            record.response = response
            entry.setMetadata(record.metadata)
        }
    }

    /// Interprets an entry; nil if it cannot be completed.
    init?(_ entry: any EntryFilling) {
        guard let response = CacheRecord(metadata: entry.metadata)?.response, response.isResumable,
            response.wholeCount == entry.count
        else { return nil }
        self.entry = entry
        self.response = response
    }

    /// The size of the whole body in a record, or nil.
    static func wholeCount(_ metadata: [UInt8]) -> Int? {
        CacheRecord(metadata: metadata)?.response?.wholeCount
    }

    /// Whether it matches a request.
    func fits(_ request: LoadRequest) -> Bool {
        Vary(response.headers).matches(request.storedHeaders, response.selectingHeaders)
    }

    /// Whether another response certainly has the same bytes.
    func isSameVersion(as other: StoredResponse) -> Bool {
        other.wholeCount == entry.count
            && Validator(response.headers).isSameVersion(as: Validator(other.headers))
    }

    /// Whether all bytes of a range are stored.
    func holds(_ range: Range<Int>) -> Bool {
        entry.presentEnd(from: range.lowerBound) >= range.upperBound
    }

    /// The first bytes of a range that are missing, or nil.
    func firstMissing(in range: Range<Int>) -> Range<Int>? {
        let start = entry.presentEnd(from: range.lowerBound)
        guard start < range.upperBound else { return nil }
        return start..<min(range.upperBound, entry.missingEnd(from: start))
    }

    /// Updates the head from a newer response of the same version.
    mutating func update(
        from head: ResponseHead, requestTime: WallTime, responseTime: WallTime
    ) {
        response.update(from: head, requestTime: requestTime, responseTime: responseTime)
    }
}

/// The handling of a request for bytes of which some are stored.
enum PartDecision: Hashable, Sendable {
    /// Respond with the stored bytes.
    case serve
    /// Validate the stored bytes with these fields.
    case validate(HTTPHeaders)
    /// Respond with the stored bytes, and load missing ones of the same version.
    case fill
    /// Load the requested bytes as if nothing were stored.
    case load
    /// The network must not be used, and bytes are missing.
    case unavailable

    /// Decides; `isPresent` if all requested bytes are stored.
    static func decide(
        _ request: LoadRequest, _ response: StoredResponse, isPresent: Bool, isShared: Bool = false,
        now: WallTime
    ) -> PartDecision {
        if request.policy == .reload || request.policy == .noCache { return .load }
        if let version = request.headers["If-Range"] {
            // The request continues a version that was validated, and wants its bytes.
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
