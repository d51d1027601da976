public import FoundationEssentials
internal import LazyCache

extension CachingLoader {
    /// The key under which the answers of an address are stored: the address without its fragment.
    ///
    /// Of user and password only a fingerprint is in it, as keys can be listed. Scheme and host are in small letters, the scheme's own port is left out, and an empty path is
    /// `/` (RFC 9110, 4.2.3). An answer that varies stands under a key of its own, which is this one
    /// with lines behind it.
    public static func key(for url: URL) -> String {
        let text = url.absoluteString
        let whole = text.prefix { $0 != "#" }
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true),
            let start = whole.firstRange(of: "://")?.upperBound
        else { return String(whole) }
        let authorityEnd = whole[start...].firstIndex { "/?".contains($0) } ?? whole.endIndex
        var rest = String(whole[authorityEnd...])
        if !rest.hasPrefix("/") { rest = "/" + rest }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let isOwnPort = url.port == nil || url.port == (scheme == "https" ? 443 : 80)
        let port = isOwnPort ? "" : ":\(url.port ?? 0)"
        let user = whole[start..<authorityEnd].lastIndex(of: "@").map { end in
            SecretDigest.of(String(whole[start..<end]), salt: name.lowercased()) + "@"
        }
        return "\(scheme)://\(user ?? "")\(name.lowercased())\(port)\(rest)"
    }

    /// The key under which the answers to a request are stored.
    ///
    /// That of its address. Answers to requests with credentials stand apart, under a key with one
    /// more line: a salted digest of them. `Vary` tells answers apart beside that, within one key.
    public static func key(for request: LoadRequest) -> String {
        let key = key(for: request.url)
        return request.credentialDigest(salt: key).map { "\(key)\ncredentials \($0)" } ?? key
    }
}

/// The key of an answer that varies by some fields of its request.
func variantKey(_ key: String, _ names: [String], _ request: HTTPHeaders) -> String {
    let selection = Vary(["Vary": names.joined(separator: ", ")]).selection(of: request)
    return names.reduce(into: key) { text, name in
        text += "\n\(name)" + (selection[name].map { ": \($0)" } ?? "")
    }
}
