package import FoundationEssentials

extension LoadRequest {
    /// The names of header fields that always contain credentials, in lower case.
    public static let standardSecretHeaders: Set<String> = [
        "authorization", "cookie", "proxy-authorization", "x-api-key", "x-auth-token",
    ]

    /// Whether the value of a header field is a secret.
    public func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return Self.standardSecretHeaders.contains(name)
            || secretHeaders.contains { $0.isSameField(as: name) }
    }

    /// Whether the request has credentials: a secret header field, or a user in the URL.
    public var hasCredentials: Bool {
        url.user() != nil || headers.fields.contains { isSecret($0.name) }
    }

    /// A digest of the secret header fields, or nil without any.
    ///
    /// The salt tells the entry, so that the same secret has different digests in different entries.
    package func credentialDigest(salt: String) -> String? {
        let secrets = headers.fields.filter { isSecret($0.name) }
        if secrets.isEmpty { return nil }
        let text = secrets.map { field in
            "\(field.name.lowercased()):\(field.value.utf8.count):\(field.value)"
        }.sorted().joined(separator: "\n")
        return SecretDigest.of(text, salt: salt)
    }

    /// A digest of the user and password of a URL.
    package static func digest(ofUserIn url: URL, salt: String) -> String {
        SecretDigest.of("\(url.user() ?? "")\n\(url.password() ?? "")", salt: salt)
    }

    /// The header fields for stores: with digests in place of secrets.
    package var storedHeaders: HTTPHeaders {
        guard headers.fields.contains(where: { isSecret($0.name) }) else { return headers }
        let salt = CacheKey.of(url)
        var stored = HTTPHeaders()
        for field in headers.fields {
            let value =
                isSecret(field.name) ? SecretDigest.of(field.value, salt: salt) : field.value
            stored.add(field.name, value)
        }
        return stored
    }
}

extension LoadRequest {
    /// Header fields that may be sent to another server after a redirect, in lower case.
    ///
    /// Content negotiation and cache validation only; no custom fields.
    public static let portableHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "if-modified-since",
        "if-none-match", "if-range", "pragma", "range", "user-agent",
    ]

    /// The request for another URL, the target of a redirect or an alternative.
    ///
    /// Header fields and the user of the URL are kept for the same origin (scheme, host and port); for
    /// another one only fields of `portable` that are not secret.
    package func moved(
        to target: URL, portable: Set<String> = LoadRequest.portableHeaders
    ) -> LoadRequest {
        var next = self
        next.url = target
        if target.origin == url.origin {
            next.url = target.withUser(of: url)
            return next
        }
        next.headers = HTTPHeaders()
        for field in headers.fields
        where portable.contains(field.name.lowercased()) && !isSecret(field.name) {
            next.headers.add(field.name, field.value)
        }
        return next
    }
}

extension URL {
    /// Scheme, host and port, which determine where connections and secrets may be reused.
    package var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\((host() ?? "").lowercased()):\(port)"
    }

    /// The URL with a digest in place of user and password.
    package var withHiddenUser: String {
        let text = absoluteString
        guard text.utf8.contains(UInt8(ascii: "@")), user() != nil,
            let start = text.firstRange(of: "://")?.upperBound
        else { return text }
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let at = text[start..<end].lastIndex(of: "@") else { return text }
        let host = text[text.index(after: at)..<end].lowercased()
        let user = SecretDigest.of(String(text[start..<at]), salt: host)
        return text[..<start] + user + text[at...]
    }

    fileprivate func withUser(of other: URL) -> URL {
        guard user() == nil, other.user() != nil,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
            let theirs = URLComponents(url: other, resolvingAgainstBaseURL: true)
        else { return self }
        parts.percentEncodedUser = theirs.percentEncodedUser
        parts.percentEncodedPassword = theirs.percentEncodedPassword
        return parts.url ?? self
    }
}
