import FoundationEssentials
import LazyBase

/// The head of a response, and its outcome for the load.
struct HTTPResponse: Sendable {
    enum Outcome: Sendable {
        /// The body contains the requested bytes.
        case body
        /// The resource is at another location.
        case redirect(String)
        /// The load has failed.
        case failure(LoadingError)
    }

    let head: ResponseHead
    let outcome: Outcome
    /// Whether it came from an address of the public Internet.
    let isPublic: Bool

    /// Interprets the head of a response from an address, whose content coding is decoded if `isDecoding`.
    init(
        status: Int, headers: HTTPHeaders, to step: RedirectStep, from peer: IPAddress?,
        isDecoding: Bool
    ) {
        isPublic = peer?.isPublic ?? false
        let coding = headers["Content-Encoding"]?.lowercased() ?? "identity"
        let lengths = Set(headers.values(of: "Content-Length"))
        let length = lengths.first.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        let isChunked = headers["Transfer-Encoding"] != nil
        let isCoded = isDecoding && coding != "identity"
        var head = ResponseHead(
            url: step.request.url, status: status, headers: headers, origin: .network)
        if !isChunked, !isCoded, status != 204, status != 304 { head.expectedCount = length }
        head.isPrivate = peer.map { !$0.isPublic } ?? false
        if status == 206 {
            head.contentRange = headers["Content-Range"].flatMap { ContentRange.parse($0) }
        }
        self.head = head
        if !isChunked, lengths.count > 1 || !lengths.isEmpty && length == nil {
            outcome = .failure(step.error(.malformed, "the response has no valid Content-Length"))
        } else {
            outcome = Self.outcome(of: head, to: step)
        }
    }

    private static func outcome(of head: ResponseHead, to step: RedirectStep) -> Outcome {
        switch head.status {
        case 206 where !step.hasRange:
            return .failure(step.error(.malformed, "the server sent a range without a request"))
        case 206 where head.contentRange == nil:
            return .failure(
                LoadingError(
                    .malformed,
                    "\(step.address) cannot be loaded: the server sent a range without its position.",
                    status: 206))
        case 200..<300: break
        case 301, 302, 303, 307, 308:
            if let location = head.headers.values(of: "Location").first {
                return .redirect(location)
            }
            return .failure(step.statusError(head))
        case 304 where step.isConditional: return .body
        case 416 where step.hasRange: return .body
        default: return .failure(step.statusError(head))
        }
        if let limit = step.request.maximumBytes, let count = head.expectedCount, count > limit {
            return .failure(step.tooLarge(limit))
        }
        return .body
    }
}

extension RedirectStep {
    fileprivate var hasRange: Bool {
        request.range != nil || request.headers["Range"] != nil
    }

    fileprivate var isConditional: Bool {
        request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil
    }

    fileprivate func statusError(_ head: ResponseHead) -> LoadingError {
        let name = statusNames[head.status].map { " (\($0))" } ?? ""
        return LoadingError(
            .status, "\(address) cannot be loaded: the server responds with \(head.status)\(name).",
            status: head.status,
            retryAfter: head.headers["Retry-After"].flatMap { RetryAfter.parse($0, now: .now) },
            head: head)
    }
}

/// The reason phrases of common statuses.
private let statusNames = [
    304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    408: "Request Timeout", 410: "Gone", 416: "Range Not Satisfiable",
    425: "Too Early", 429: "Too Many Requests", 451: "Unavailable For Legal Reasons",
    500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout",
]
