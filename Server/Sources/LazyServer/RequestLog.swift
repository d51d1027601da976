internal import HTTPTypes
public import Hummingbird
public import Logging

/// Logs each request without its signature, its query and those of its source.
public struct RequestLog<Context: RequestContext>: RouterMiddleware {
    private let logger: Logger

    /// Logs to a logger.
    public init(logger: Logger) { self.logger = logger }

    /// Logs a request when it is answered.
    public func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var metadata: Logger.Metadata = [
            "method": "\(request.method.rawValue)", "path": "\(Self.shown(request.uri.string))",
        ]
        if let name = HTTPField.Name("traceparent"), let trace = request.headers[name] {
            metadata["trace"] = "\(trace)"
        }
        do {
            let response = try await next(request, context)
            metadata["status"] = "\(response.status.code)"
            metadata["milliseconds"] = "\(Self.milliseconds(since: start))"
            logger.info("request", metadata: metadata)
            return response
        } catch {
            metadata["error"] = "\(error)"
            logger.info("request", metadata: metadata)
            throw error
        }
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Int64 {
        let (seconds, rest) = (ContinuousClock.now - start).components
        return seconds * 1000 + rest / 1_000_000_000_000_000
    }

    /// The target behind its signature, without queries.
    static func shown(_ target: String) -> Substring {
        let bytes = target.utf8
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        let rest = path.dropFirst().drop { $0 != UInt8(ascii: "/") }
        var end = rest.startIndex
        while end < rest.endIndex {
            // `%3F` is a question mark within the source.
            let isEncoded =
                rest[end] == UInt8(ascii: "%")
                && rest[end...].prefix(3).lowercasedASCII == Array("%3f".utf8)
            if isEncoded { break }
            end = rest.index(after: end)
        }
        return Substring(rest[..<end])
    }
}

extension Substring.UTF8View {
    fileprivate var lowercasedASCII: [UInt8] {
        map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
}
