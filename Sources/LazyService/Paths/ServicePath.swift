/// The path of a request, cut into its signature and what is signed.
struct ServicePath: Equatable {
    /// The signature.
    let signature: Substring
    /// What is behind it, repaired: proxies change some characters of a path before it arrives here.
    let path: String

    /// Cuts a request's target; throws 404 where there is nothing behind a signature.
    init(target: String, prefix: String = "") throws(ServiceError) {
        var rest = target[...]
        if let query = rest.firstIndex(of: "?") { rest = rest[..<query] }
        guard rest.hasPrefix(prefix + "/") else { throw Self.malformed }
        rest = rest.dropFirst(prefix.count + 1)
        guard let slash = rest.firstIndex(of: "/"), slash > rest.startIndex else {
            throw Self.malformed
        }
        signature = rest[..<slash]
        path = Self.repaired(String(rest[rest.index(after: slash)...]))
        if path.isEmpty { throw Self.malformed }
    }

    /// What the signature is of.
    var signed: String { "/" + path }

    private static let malformed = ServiceError(
        404, "A path is /signature/options/plain/source@extension.")

    /// What is signed of a path without its signature, which begins with a slash.
    static func signed(_ path: String) -> String {
        let bare = path.prefix { $0 != "?" }
        return bare.first == "/" ? "/" + repaired(String(bare.dropFirst())) : String(bare)
    }

    // MARK: - Repairs

    /// The path with its colons and the slashes behind the scheme of a plain source, which proxies merge.
    static func repaired(_ path: String) -> String {
        guard let plain = plainEnd(of: path) else { return path.replacing("%3A", with: ":") }
        let options = path[..<plain].replacing("%3A", with: ":")
        return options + repairedSource(path[plain...])
    }

    /// The end of `plain/`, which begins the path or follows a slash.
    private static func plainEnd(of path: String) -> String.Index? {
        if path.hasPrefix("plain/") { return path.index(path.startIndex, offsetBy: 6) }
        return path.firstRange(of: "/plain/")?.upperBound
    }

    /// The last `:/x` becomes `://x`, and of a local source `:///x`.
    private static func repairedSource(_ source: Substring) -> String {
        let bytes = Array(source.utf8)
        let (colon, slash) = (UInt8(ascii: ":"), UInt8(ascii: "/"))
        guard bytes.count > 2,
            let place = (0..<bytes.count - 2).last(where: {
                bytes[$0] == colon && bytes[$0 + 1] == slash && bytes[$0 + 2] != slash
            })
        else { return String(source) }
        let scheme = String(decoding: bytes[..<place], as: UTF8.self)
        return scheme + (scheme == "local" ? ":///" : "://")
            + String(decoding: bytes[(place + 2)...], as: UTF8.self)
    }
}
