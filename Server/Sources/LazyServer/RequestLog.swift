internal import HTTPTypes
public import Hummingbird

/// Tells of each request without its signature, its query and those of its source.
public struct RequestLog<Context: RequestContext>: RouterMiddleware {
    /// What is told of a request.
    public struct Entry: Sendable {
        /// The method.
        public var method: String
        /// The target behind its signature.
        public var path: Substring
        /// The trace that the request is a part of, as W3C's `traceparent` has it.
        public var trace: String?
        /// The status; nil where there was an error without one.
        public var status: Int?
        /// The time until the answer began.
        public var duration: Duration
        /// What was thrown, in place of an answer.
        public var error: String?
    }

    private let prefix: String
    private let tell: @Sendable (Entry) -> Void

    /// Hands what is told of each request to a closure; signatures stand behind the path prefix of the service.
    public init(pathPrefix: String, _ tell: @escaping @Sendable (Entry) -> Void) {
        (prefix, self.tell) = (pathPrefix, tell)
    }

    /// Tells of a request when it is answered.
    public func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var entry = Entry(
            method: request.method.rawValue, path: Self.shown(request.uri.string, behind: prefix),
            trace: request.headers[.traceParent], duration: .zero)
        do {
            let response = try await next(request, context)
            entry.status = response.status.code
            entry.duration = .now - start
            tell(entry)
            return response
        } catch {
            entry.status = (error as? any HTTPResponseError)?.status.code
            entry.error = "\(error)"
            entry.duration = .now - start
            tell(entry)
            throw error
        }
    }

    /// The target behind its signature, without queries, and without the users and passwords of sources.
    static func shown(_ target: String, behind prefix: String) -> Substring {
        path(of: target, behind: prefix).withoutUsers
    }

    private static func path(of target: String, behind prefix: String) -> Substring {
        var bytes = target.utf8[...]
        for head in [prefix, "/info"] where bytes.starts(with: Array((head + "/").utf8)) {
            bytes = bytes.dropFirst(head.utf8.count)
        }
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        let rest = path.dropFirst().drop { $0 != UInt8(ascii: "/") }
        guard var mark = rest.firstIndex(of: UInt8(ascii: "%")) else { return Substring(rest) }
        // `%3F` is a question mark within the source.
        while !rest[mark...].prefix(3).lowercasedASCII.elementsEqual("%3f".utf8) {
            guard let next = rest[mark...].dropFirst().firstIndex(of: UInt8(ascii: "%")) else {
                return Substring(rest)
            }
            mark = next
        }
        return Substring(rest[..<mark])
    }
}

extension HTTPField.Name {
    fileprivate static let traceParent = HTTPField.Name("traceparent") ?? .date
}

extension Substring.UTF8View {
    fileprivate var lowercasedASCII: [UInt8] {
        map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
}
