public import FoundationEssentials

/// The keys under which HTTP responses are stored.
public enum CacheKey {
    /// The key of a URL: its normalized form without fragment (RFC 9110, 4.2.3).
    ///
    /// Scheme and host are in lower case, the default port is removed, and an empty path is `/`. User
    /// and password are replaced by a digest, because keys can be listed.
    public static func of(_ url: URL) -> String {
        let text = url.absoluteString
        let whole = text.prefix { $0 != "#" }
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true),
            let start = whole.firstRange(of: "://")?.upperBound
        else { return String(whole) }
        let authorityEnd = whole[start...].firstIndex { "/?".contains($0) } ?? whole.endIndex
        var rest = String(whole[authorityEnd...])
        if !rest.hasPrefix("/") { rest = "/" + rest }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let isDefaultPort = url.port == nil || url.port == (scheme == "https" ? 443 : 80)
        let port = isDefaultPort ? "" : ":\(url.port ?? 0)"
        let user = whole[start..<authorityEnd].lastIndex(of: "@").map { end in
            SecretDigest.of(String(whole[start..<end]), salt: name.lowercased()) + "@"
        }
        return "\(scheme)://\(user ?? "")\(name.lowercased())\(port)\(rest)"
    }

    /// The key of the responses to a request: that of its URL.
    ///
    /// Responses to requests with credentials have an additional line: a salted digest of them.
    /// Variants (`Vary`) have further lines.
    public static func of(_ request: LoadRequest) -> String {
        let key = of(request.url)
        return request.credentialDigest(salt: key).map { "\(key)\ncredentials \($0)" } ?? key
    }

    /// The key of a response that varies by some fields of its request.
    static func variant(of key: String, _ names: [String], _ request: HTTPHeaders) -> String {
        let selection = Vary(["Vary": names.joined(separator: ", ")]).selection(of: request)
        return names.reduce(into: key) { text, name in
            text += "\n\(name)" + (selection[name].map { ": \($0)" } ?? "")
        }
    }
}
