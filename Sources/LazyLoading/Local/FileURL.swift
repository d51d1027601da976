internal import LazyBase

/// The path of a `file:` URL (RFC 8089).
public struct FileURL: Hashable, Sendable {
    /// The decoded path; invalid UTF-8 is repaired.
    public let path: String
    /// The exact bytes of the path, for opening it.
    public let pathBytes: [UInt8]

    /// Parses a URL; nil if its scheme is not `file:`.
    ///
    /// Throws `.badAddress` if the URL is malformed or names another host.
    public init?(_ text: String) throws(LoadingError) {
        guard let rest = text.afterScheme("file") else { return nil }
        var path = rest.prefix { $0 != "?" && $0 != "#" }
        if rest.hasPrefix("//") {
            let host = path.dropFirst(2).prefix { $0 != "/" }
            guard host.isEmpty || String(host).isSameField(as: "localhost") else {
                throw LoadingError(.badAddress, "The file: URL names the other host '\(host)'.")
            }
            path = path[host.endIndex...]
        }
        guard let bytes = PercentEncoding.decode(path), !bytes.isEmpty, !bytes.contains(0) else {
            throw LoadingError(.badAddress, "The file: URL is not well formed.")
        }
        self.path = String(decoding: bytes, as: UTF8.self)
        pathBytes = bytes
    }
}
