extension ScriptedServer {
    /// A request of a client.
    public struct Request: Sendable {
        /// The method, usually `GET`.
        public var method: String
        /// The target of the request line.
        public var path: String
        /// The header fields in order.
        public var headers: [(name: String, value: String)]
        /// The number of its connection, from 1.
        public var connection: Int
        /// The number of earlier requests.
        public var index: Int

        /// The first value of a header field.
        public subscript(name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// A step of a response.
    public enum Action: Sendable {
        /// Sends bytes, all of them.
        case send([UInt8])
        /// Sends text.
        case text(String)
        /// Sends bytes repeatedly, a number of times or until the client is gone.
        case `repeat`([UInt8], times: Int?)
        /// Waits until a gate is open or the client is gone.
        case wait(Gate)
        /// Opens a gate.
        case open(Gate)
        /// Waits until the client is gone.
        case waitForClose
        /// Ends the connection.
        case close
        /// Ends the connection with a reset (RST).
        case reset
    }

    /// A response: steps in order; the connection stays open unless one closes it.
    public struct Response: Sendable, ExpressibleByArrayLiteral {
        /// The steps.
        public var actions: [Action]

        /// Makes a response of steps.
        public init(_ actions: [Action]) { self.actions = actions }

        /// Makes a response of steps.
        public init(arrayLiteral elements: Action...) { actions = elements }

        /// A complete response with its length.
        public static func answer(
            _ status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []
        ) -> Response {
            Response([.send(head(status, headers: headers, count: body.count)), .send(body)])
        }

        /// The bytes of a head; without a length the body ends with the connection.
        public static func head(
            _ status: Int, headers: [(String, String)] = [], count: Int?
        ) -> [UInt8] {
            var text = "HTTP/1.1 \(status) Scripted\r\n"
            for (name, value) in headers { text += "\(name): \(value)\r\n" }
            if let count { text += "Content-Length: \(count)\r\n" }
            return Array((text + "\r\n").utf8)
        }
    }
}

extension ScriptedServer.Response {
    /// The response of a file server: the whole file, a range, or 304.
    ///
    /// Without `ranges` it does not support them.
    public static func serve(
        _ bytes: [UInt8], to request: ScriptedServer.Request, etag: String? = nil,
        lastModified: String? = nil, cacheControl: String? = nil, type: String? = nil,
        ranges: Bool = true
    ) -> ScriptedServer.Response {
        var headers: [(String, String)] = []
        if let etag { headers.append(("ETag", etag)) }
        if let lastModified { headers.append(("Last-Modified", lastModified)) }
        if let cacheControl { headers.append(("Cache-Control", cacheControl)) }
        if let type { headers.append(("Content-Type", type)) }
        if ranges { headers.append(("Accept-Ranges", "bytes")) }
        if isUnchanged(request, etag: etag, lastModified: lastModified) {
            return ScriptedServer.Response([.send(head(304, headers: headers, count: nil))])
        }
        let validators = [etag, lastModified]
        let mayRange =
            request["If-Range"].map { validators.contains($0) && !$0.hasPrefix("W/") } ?? true
        guard ranges, mayRange, let asked = request["Range"], let range = parse(asked, bytes.count)
        else { return .answer(headers: headers, body: bytes) }
        guard !range.isEmpty else {
            return .answer(416, headers: headers + [("Content-Range", "bytes */\(bytes.count)")])
        }
        let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
        return .answer(
            206, headers: headers + [("Content-Range", place)], body: Array(bytes[range]))
    }

    private static func isUnchanged(
        _ request: ScriptedServer.Request, etag: String?, lastModified: String?
    ) -> Bool {
        func opaque(_ tag: some StringProtocol) -> String {
            var tag = tag.drop { $0 == " " }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return String(tag)
        }
        if let asked = request["If-None-Match"] {
            guard let etag else { return false }
            return asked == "*"
                || asked.split(separator: ",").contains { opaque($0) == opaque(etag) }
        }
        return lastModified != nil && request["If-Modified-Since"] == lastModified
    }

    /// The bytes of a range; empty if it cannot be satisfied, nil if it is ignored.
    private static func parse(_ text: String, _ count: Int) -> Range<Int>? {
        guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first <= last:
            return first < count ? first..<min(last + 1, count) : 0..<0
        case (let first?, nil) where ends[1].isEmpty: return first < count ? first..<count : 0..<0
        case (nil, let last?) where ends[0].isEmpty: return max(0, count - last)..<count
        default: return nil
        }
    }
}
