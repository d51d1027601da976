public import FoundationEssentials
public import LazyBase

/// The head of a stored response.
public struct StoredResponse: Hashable, Sendable {
    /// The URL of the body, after redirects, without user and password.
    public var url: URL
    /// The status.
    public var status: Int
    /// The header fields, without those of the connection and of a decoded content coding.
    public var headers: HTTPHeaders
    /// The fields of the request that `Vary` names.
    public var selectingHeaders: HTTPHeaders
    /// When the request was made.
    public var requestTime: WallTime
    /// When the response arrived.
    public var responseTime: WallTime
    /// The size of the whole body, if it is known.
    public var wholeCount: Int?
    /// Whether the body was sent without a content coding.
    public var isIdentityCoded: Bool
    /// Whether it came from an address that is not in the public Internet.
    package var isPrivate = false

    /// Makes a stored response.
    public init(
        url: URL, status: Int = 200, headers: HTTPHeaders,
        selectingHeaders: HTTPHeaders = HTTPHeaders(), requestTime: WallTime,
        responseTime: WallTime, wholeCount: Int? = nil, isIdentityCoded: Bool = true
    ) {
        self.url = url
        self.status = status
        self.headers = headers
        self.selectingHeaders = selectingHeaders
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.wholeCount = wholeCount
        self.isIdentityCoded = isIdentityCoded
    }

    /// Makes a stored response of the response to a request.
    public init(
        _ head: ResponseHead, to request: LoadRequest, requestTime: WallTime,
        responseTime: WallTime
    ) {
        let coding = head.headers["Content-Encoding"].map { $0.trimmed.lowercased() } ?? "identity"
        isIdentityCoded = coding == "identity"
        isPrivate = head.isPrivate
        url = head.url.withoutUser
        status = head.status
        // A request with its own Accept-Encoding gets the encoded bytes.
        let isDecoded = !isIdentityCoded && request.headers["Accept-Encoding"] == nil
        headers = head.headers.storable(isIdentityCoded: !isDecoded)
        selectingHeaders = Vary(head.headers).selection(of: request.storedHeaders)
        self.requestTime = requestTime
        self.responseTime = responseTime
        let whole = head.status == 206 ? head.contentRange?.whole : head.expectedCount
        wholeCount = isIdentityCoded ? whole : nil
    }

    /// The time of the response by the server's clock, else by ours.
    public var date: WallTime {
        headers["Date"].flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
    }

    /// Updates the header fields from a 304 (RFC 9111, 3.2 and 4.3.4).
    public mutating func update(
        from notModified: ResponseHead, requestTime: WallTime, responseTime: WallTime
    ) {
        let news = notModified.headers.storable(isIdentityCoded: true)
        let kept: Set = ["content-length", "content-encoding", "content-range", "content-type"]
        let names = Set(news.fields.map { $0.name.lowercased() }).subtracting(kept)
        for name in names { headers[name] = nil }
        for field in news.fields where names.contains(field.name.lowercased()) {
            headers.add(field.name, field.value)
        }
        self.requestTime = requestTime
        self.responseTime = responseTime
        isPrivate = isPrivate && notModified.isPrivate
    }
}

extension HTTPHeaders {
    // RFC 9111, 3.1: the fields of one connection are not stored.
    fileprivate func storable(isIdentityCoded: Bool) -> HTTPHeaders {
        var dropped: Set = [
            "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
            "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding",
            "upgrade",
        ]
        for name in self["Connection"]?.fieldMembers ?? [] { dropped.insert(name.lowercased()) }
        if !isIdentityCoded { dropped.formUnion(["content-encoding", "content-length"]) }
        dropped.insert("content-range")
        // 7.3: cookies are credentials, and are never sent back here.
        dropped.formUnion(["set-cookie", "set-cookie2"])
        var kept = HTTPHeaders()
        for field in fields where !dropped.contains(field.name.lowercased()) {
            kept.add(field.name, field.value)
        }
        return kept
    }
}
