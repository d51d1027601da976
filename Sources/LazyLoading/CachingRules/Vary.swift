/// The request fields that a response depends on (RFC 9110, 12.5.5; RFC 9111, 4.1).
public struct Vary: Hashable, Sendable {
    /// The names in lower case, sorted and unique; empty if the response matches every request.
    public let names: [String]
    /// Whether it is `*`: the response matches no other request.
    public let isAny: Bool

    /// Parses the field of a response.
    public init(_ headers: HTTPHeaders) {
        let members = headers["Vary"]?.fieldMembers.map { $0.lowercased() } ?? []
        isAny = members.contains("*")
        names = Set(members).subtracting(["*"]).sorted()
    }

    /// The fields of a request that the response depends on, normalized and sorted.
    public func selection(of request: HTTPHeaders) -> HTTPHeaders {
        var selection = HTTPHeaders()
        for name in names {
            if let value = Self.normalized(request[name], name) { selection.add(name, value) }
        }
        return selection
    }

    /// Whether a request has the same values as that of the response.
    public func matches(_ request: HTTPHeaders, _ stored: HTTPHeaders) -> Bool {
        !isAny
            && names.allSatisfy {
                Self.normalized(request[$0], $0) == Self.normalized(stored[$0], $0)
            }
    }

    // White space around commas is insignificant.
    private static func normalized(_ value: String?, _ name: String) -> String? {
        if secrets.contains(name) { return value.map { SecretDigest.of($0) } }
        return value.map { $0.fieldMembers.joined(separator: ", ") }
    }

    // Secrets are compared, but not stored: keys and records can be listed.
    private static let secrets: Set = [
        "authorization", "cookie", "proxy-authorization", "x-api-key", "x-auth-token",
    ]
}
