import FoundationEssentials
import LazyBytes
import LazyLoading

/// The head of an answer, and what it means for the load.
struct Answer: Sendable {
    enum Meaning: Sendable {
        /// The body is what was asked for.
        case body
        /// The bytes are somewhere else.
        case redirect(String)
        /// The load has failed.
        case failure(LoadingError)
    }

    let head: ResponseHead
    let meaning: Meaning

    /// Reads a head that answers a request, whose content coding is undone if `isDecoding`.
    init(status: Int, headers: HTTPHeaders, to hop: Hop, isDecoding: Bool) {
        let coding = headers["Content-Encoding"]?.lowercased() ?? "identity"
        let lengths = Set(headers.values(of: "Content-Length"))
        let length = lengths.first.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        let isChunked = headers["Transfer-Encoding"] != nil
        let isCoded = isDecoding && coding != "identity"
        var head = ResponseHead(
            url: hop.request.url, status: status, headers: headers, origin: .network)
        if !isChunked, !isCoded, status != 204, status != 304 { head.expectedCount = length }
        if status == 206 {
            head.contentRange = headers["Content-Range"].flatMap { ContentRange.parse($0) }
        }
        self.head = head
        if !isChunked, lengths.count > 1 || !lengths.isEmpty && length == nil {
            meaning = .failure(hop.error(.malformed, "the answer has no sound Content-Length"))
        } else {
            meaning = Answer.meaning(of: head, to: hop)
        }
    }

    private static func meaning(of head: ResponseHead, to hop: Hop) -> Meaning {
        switch head.status {
        case 206 where !hop.asksForRange:
            return .failure(hop.error(.malformed, "the server sent a part that was not asked for"))
        case 206 where head.contentRange == nil:
            return .failure(hop.error(.malformed, "the server sent a part without its place"))
        case 200..<300: break
        case 301, 302, 303, 307, 308:
            if let location = head.headers.values(of: "Location").first {
                return .redirect(location)
            }
            return .failure(hop.statusError(head))
        case 304 where hop.isConditional: return .body
        case 416 where hop.asksForRange: return .body
        default: return .failure(hop.statusError(head))
        }
        if let limit = hop.request.maximumBytes, let count = head.expectedCount, count > limit {
            return .failure(hop.tooLarge(limit))
        }
        return .body
    }
}

extension Hop {
    fileprivate var asksForRange: Bool {
        request.range != nil || request.headers["Range"] != nil
    }

    fileprivate var isConditional: Bool {
        request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil
    }

    /// An error with one sentence: the address and the cause.
    func error(_ code: LoadingError.Code, _ cause: String) -> LoadingError {
        LoadingError(code, "\(address) cannot be loaded: \(cause).")
    }

    func tooLarge(_ limit: Int) -> LoadingError {
        error(.tooLarge, "it is larger than \(limit) bytes")
    }

    fileprivate func statusError(_ head: ResponseHead) -> LoadingError {
        let words = StatusWords.words[head.status].map { " (\($0))" } ?? ""
        return LoadingError(
            .status, "\(address) cannot be loaded: the server answers \(head.status)\(words).",
            status: head.status,
            retryAfter: head.headers["Retry-After"].flatMap { RetryAfter.parse($0, now: .now) })
    }
}

/// What the commoner statuses mean.
private enum StatusWords {
    static let words = [
        304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        408: "Request Timeout", 410: "Gone", 416: "Range Not Satisfiable",
        425: "Too Early", 429: "Too Many Requests", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout",
    ]
}

/// The value of a `Retry-After` field (RFC 9110, 10.2.3).
enum RetryAfter {
    /// Reads seconds or a date; nil for what is neither, and nothing for a date that has passed.
    static func parse(_ text: String, now: WallTime) -> Duration? {
        if let date = HTTPDate.parse(text, now: now) { return max(.zero, date - now) }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return .seconds(Int64(Int32(text) ?? .max))
    }
}
