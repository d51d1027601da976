internal import FoundationEssentials
internal import Glibc
internal import LazyBase
internal import LazyLoading

/// Signs requests to S3 by Signature Version 4 of AWS.
///
/// Signed are the method, the path and the query as they are sent, all header fields that the request has, and the digest
/// of its body. The client of HTTP adds fields that are not signed, such as a range.
struct RequestSigner: Sendable {
    /// The region, which is a part of what is signed.
    let region: String

    /// Fields that proxies may change on the way.
    private static let unsigned: Set<String> = [
        "expect", "transfer-encoding", "user-agent", "x-amzn-trace-id", "authorization",
    ]

    /// The request with its signature.
    func signed(_ request: LoadRequest, by key: AccessKey, at time: WallTime) -> LoadRequest {
        let (day, stamp) = Self.texts(of: time)
        let digest = Digest.sha256(request.upload ?? []).hex
        var request = request
        request.headers["X-Amz-Content-SHA256"] = digest
        request.headers["X-Amz-Date"] = stamp
        request.headers["X-Amz-Security-Token"] = key.token
        let target = Target(request.url)
        let fields = Self.fields(of: request, host: target.host)
        let names = fields.map(\.name).joined(separator: ";")
        let canonical = [
            request.method, target.path, target.query,
            fields.map { "\($0.name):\($0.value)\n" }.joined(), names, digest,
        ].joined(separator: "\n")
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = ["AWS4-HMAC-SHA256", stamp, scope, Digest.sha256(Array(canonical.utf8)).hex]
            .joined(separator: "\n")
        let signature = Self.code(text, by: signingKey(of: key, day)).hexadecimal()
        request.headers["Authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(key.id)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
        return request
    }

    private func signingKey(of key: AccessKey, _ day: String) -> [UInt8] {
        ["\(day)", region, "s3", "aws4_request"].reduce(Array("AWS4\(key.secret)".utf8)) {
            Self.code($1, by: $0)
        }
    }

    private static func code(_ text: String, by key: [UInt8]) -> [UInt8] {
        HMAC.sha256(Array(text.utf8), after: [], key: key)
    }

    /// The fields that are signed, by their names in lower case and in order, with single spaces.
    private static func fields(
        of request: LoadRequest, host: String
    ) -> [(name: String, value: String)] {
        var values = ["host": [host]]
        for field in request.headers.fields {
            let name = field.name.lowercased()
            guard !unsigned.contains(name), name != "host" else { continue }
            let words = field.value.split { $0 == " " || $0 == "\t" }
            values[name, default: []].append(words.joined(separator: " "))
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ",")) }
    }

    /// The day and the time in UTC.
    private static func texts(of time: WallTime) -> (day: String, stamp: String) {
        var seconds = time_t(time.seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
        let stamp = String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (String(stamp.prefix(8)), stamp)
    }
}

extension RequestSigner {
    /// The parts of a URL, as they are sent.
    private struct Target {
        let host: String
        let path: String
        /// Its pairs in order.
        let query: String

        init(_ url: URL) {
            let text = url.absoluteString.prefix { $0 != "#" }
            let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
            let end = text[start...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
            var host = text[start..<end].lowercased()
            let usual = text.hasPrefix("https:") ? ":443" : ":80"
            if host.hasSuffix(usual) { host.removeLast(usual.count) }
            self.host = host
            let rest = text[end...]
            let mark = rest.firstIndex(of: "?") ?? rest.endIndex
            path = String(rest[..<mark])
            let pairs = rest[mark...].dropFirst().split(separator: "&").map { pair in
                let sides = pair.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
            }
            query =
                pairs.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
                .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        }
    }
}
