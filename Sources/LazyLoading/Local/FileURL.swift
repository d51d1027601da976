internal import LazyBytes

/// The path that a `file:` address names (RFC 8089).
public struct FileURL: Hashable, Sendable {
    /// The path, percent-decoded; what of it is not UTF-8 is repaired.
    public let path: String
    /// The same byte by byte: what to open.
    public let pathBytes: [UInt8]

    /// Reads an address; nil where it is not a `file:` address at all.
    ///
    /// Throws `.badAddress` for another host than this one and for what is malformed.
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
