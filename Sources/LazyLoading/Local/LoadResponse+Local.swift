internal import FoundationEssentials
public import LazyBase

extension LoadResponse {
    /// Makes a response of local bytes: in memory, in a file or in a store.
    ///
    /// Respects the range and the size limit of the request. Throws `.empty` for an empty blob,
    /// `.tooLarge` beyond the limit, and `.status` 416 for an empty range.
    public init(
        local blob: Blob, for request: LoadRequest, headers: HTTPHeaders = HTTPHeaders(),
        origin: ResponseHead.Origin = .local
    ) throws(LoadingError) {
        guard blob.count > 0 else {
            throw LoadingError(.empty, "\(request.url.shortLabel) is empty.")
        }
        let head = ResponseHead(
            url: request.url, headers: headers, expectedCount: blob.count, origin: origin)
        try self.init(head: head, blob: blob, for: request)
    }

    /// Makes a response of the requested bytes of a resource.
    init(
        head: ResponseHead, blob: Blob, for request: LoadRequest
    ) throws(LoadingError) {
        var head = head
        var part = blob
        head.expectedCount = blob.count
        if let range = request.range {
            part = try head.cut(to: range, of: blob)
        }
        if let limit = request.maximumBytes, part.count > limit {
            throw LoadingError(
                .tooLarge, "\(request.url.shortLabel) is larger than \(limit) bytes.")
        }
        self.init(head: head, body: LoadBody(part))
    }
}

extension ResponseHead {
    // As a server responds to a range request (RFC 9110, 14.4 and 15.3.7).
    fileprivate mutating func cut(to range: ByteRange, of whole: Blob) throws(LoadingError) -> Blob
    {
        guard let bytes = range.resolved(in: whole.count) else {
            throw LoadingError(
                .status, "The range is outside the \(whole.count) bytes of the resource.",
                status: 416)
        }
        status = 206
        contentRange = (bytes, whole.count)
        expectedCount = bytes.count
        headers["Content-Range"] =
            "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(whole.count)"
        if headers["Content-Length"] != nil { headers["Content-Length"] = String(bytes.count) }
        return whole.slice(bytes)
    }
}

extension ByteRange {
    /// The range in a resource of a size; nil if it is empty (RFC 9110, 14.1.2).
    public func resolved(in count: Int) -> Range<Int>? {
        switch self {
        case .from(let offset): offset >= 0 && offset < count ? offset..<count : nil
        case .bytes(let range):
            range.isEmpty || range.lowerBound < 0 || range.lowerBound >= count
                ? nil : range.clamped(to: 0..<count)
        case .last(let length): length > 0 && count > 0 ? max(0, count - length)..<count : nil
        }
    }
}
