public import FoundationEssentials
public import LazyBytes

/// What a cache keeps of an answer beside its body.
public struct StoredResponse: Hashable, Sendable {
    /// The address of the body, after redirects, without user and password.
    public var url: URL
    /// The status.
    public var status: Int
    /// The header fields, without those of the connection and of a content coding that is undone.
    public var headers: HTTPHeaders
    /// The fields of the request that `Vary` names, as they were sent.
    public var selectingHeaders: HTTPHeaders
    /// When the request was made.
    public var requestTime: WallTime
    /// When the answer came.
    public var responseTime: WallTime
    /// The size of the whole body, where the server told it.
    public var wholeCount: Int?
    /// Whether the body came as it is stored, without a content coding that had to be undone.
    public var isIdentityCoded: Bool

    /// Makes what is stored of an answer.
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

    /// Makes what is stored of an answer to a request.
    public init(
        _ head: ResponseHead, to request: LoadRequest, requestTime: WallTime,
        responseTime: WallTime
    ) {
        let coding = head.headers["Content-Encoding"].map { $0.trimmed.lowercased() } ?? "identity"
        isIdentityCoded = coding == "identity"
        url = head.url.withoutUser
        status = head.status
        // Who asks for codings of his own gets the bytes as they came.
        let isUndone = !isIdentityCoded && request.headers["Accept-Encoding"] == nil
        headers = head.headers.storable(isIdentityCoded: !isUndone)
        selectingHeaders = Vary(head.headers).selection(of: request.storedHeaders)
        self.requestTime = requestTime
        self.responseTime = responseTime
        let whole = head.status == 206 ? head.contentRange?.whole : head.expectedCount
        wholeCount = isIdentityCoded ? whole : nil
    }

    /// The moment of the answer by the server's clock, else by ours.
    public var date: WallTime {
        headers["Date"].flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
    }

    /// Takes over what a 304 tells (RFC 9111, 3.2 and 4.3.4).
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
        // 7.3: what lets its owner in is not for a file, and nobody here sends it back.
        dropped.formUnion(["set-cookie", "set-cookie2"])
        var kept = HTTPHeaders()
        for field in fields where !dropped.contains(field.name.lowercased()) {
            kept.add(field.name, field.value)
        }
        return kept
    }
}
