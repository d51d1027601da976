internal import LazyCache

/// The request's fields that an answer depends on (RFC 9110, 12.5.5; RFC 9111, 4.1).
public struct Vary: Hashable, Sendable {
    /// The names in small letters, sorted, each once; empty where the answer fits every request.
    public let names: [String]
    /// Whether it is `*`: the answer fits no other request.
    public let isAny: Bool

    /// Reads the field of an answer.
    public init(_ headers: HTTPHeaders) {
        let members = headers["Vary"]?.fieldMembers.map { $0.lowercased() } ?? []
        isAny = members.contains("*")
        names = Set(members).subtracting(["*"]).sorted()
    }

    /// Those fields of a request that the answer depends on, normalised, in order of the alphabet.
    public func selection(of request: HTTPHeaders) -> HTTPHeaders {
        var selection = HTTPHeaders()
        for name in names {
            if let value = Self.normalised(request[name], name) { selection.add(name, value) }
        }
        return selection
    }

    /// Whether a request has the same values as the one that the answer was for.
    public func matches(_ request: HTTPHeaders, _ stored: HTTPHeaders) -> Bool {
        !isAny
            && names.allSatisfy {
                Self.normalised(request[$0], $0) == Self.normalised(stored[$0], $0)
            }
    }

    // White space around commas means nothing.
    private static func normalised(_ value: String?, _ name: String) -> String? {
        if secrets.contains(name) { return value.map { SecretDigest.of($0) } }
        return value.map { $0.fieldMembers.joined(separator: ", ") }
    }

    // What lets somebody in is compared, but not kept: keys and records can be listed.
    private static let secrets: Set = [
        "authorization", "cookie", "proxy-authorization", "x-api-key", "x-auth-token",
    ]
}
