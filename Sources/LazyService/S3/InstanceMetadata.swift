internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading

/// Asks the machine that this one runs on for a key (IMDSv2 of AWS).
///
/// By a loader of its own that asks for nothing else, follows no redirect and uses no proxy: the loaders of sources never
/// connect to its address.
struct InstanceMetadata: Sendable {
    private static let maxBytes = 16 << 10
    private static let path = "/latest/meta-data/iam/security-credentials/"

    private let endpoint: String
    private let loader: any DataLoading

    /// Asks at the usual address unless there is another one.
    init(endpoint: String? = nil) {
        var endpoint = endpoint ?? "http://169.254.169.254"
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        self.endpoint = endpoint
        var http = HTTPLoader.Configuration()
        http.redirects = 0
        http.usesProxies = false
        http.allowsAddress = { [endpoint] in $0.absoluteString.hasPrefix(endpoint + "/latest/") }
        loader = HTTPLoader(configuration: http)
    }

    /// The key of the machine's role; nil where it has none.
    func key() async throws(LoadingError) -> AccessKey? {
        let token = try await text(
            of: "/latest/api/token", method: "PUT",
            ["X-aws-ec2-metadata-token-ttl-seconds": "21600"])
        let fields: HTTPHeaders = ["X-aws-ec2-metadata-token": token]
        let role: Substring
        do throws(LoadingError) {
            role = try await text(of: Self.path, fields).prefix { !$0.isNewline }
        } catch  where error.isMissing { return nil }
        guard !role.isEmpty, role.utf8.count <= 128 else { return nil }
        let name = PercentEncoding.encode(Array(role.utf8), allowed: "-._~")
        return Self.key(in: try await text(of: Self.path + name, fields))
    }

    private func text(
        of path: String, method: String = "GET", _ fields: HTTPHeaders
    ) async throws(LoadingError) -> String {
        guard let url = URL(string: endpoint + path) else {
            throw LoadingError(.badAddress, "The machine's metadata is at no URL: \(endpoint).")
        }
        var request = LoadRequest(url: url, headers: fields)
        request.method = method
        if method != "GET" { request.upload = [] }
        request.connectTimeout = .seconds(1)
        request.totalTimeout = .seconds(5)
        request.maximumBytes = Self.maxBytes
        let bytes = try await loader.load(request).body.collect(atMost: Self.maxBytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func key(in text: String) -> AccessKey? {
        guard case .object(let members)? = JSONValue(reading: Array(text.utf8)) else { return nil }
        func member(_ name: String) -> String? {
            guard case .string(let text)? = members.first(where: { $0.0 == name })?.1 else {
                return nil
            }
            return text
        }
        guard let id = member("AccessKeyId"), let secret = member("SecretAccessKey"),
            let end = member("Expiration").flatMap({ try? Date($0, strategy: .iso8601) })
        else { return nil }
        let expiry = WallTime(seconds: Int64(end.timeIntervalSince1970))
        return AccessKey(id: id, secret: secret, token: member("Token"), expiry: expiry)
    }
}
