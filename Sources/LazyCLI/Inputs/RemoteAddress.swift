internal import FoundationEssentials
internal import LazyBase

/// Distinguishes `http` and `https` URLs from paths.
enum RemoteAddress {
    /// Whether a text looks like a URL.
    static func isMeant(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// The URL, or nil if the text is not one.
    ///
    /// Encodes what browsers encode: spaces, non-ASCII letters, and hosts.
    static func url(_ text: String) -> URL? {
        guard isMeant(text), !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            let text = withASCIIHost(text), let url = URL(string: encoded(text)),
            let host = url.host(percentEncoded: true), !host.isEmpty, !host.contains("%"),
            url.port.map({ (1...65535).contains($0) }) ?? true
        else { return nil }
        return url
    }

    private static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if byte > 0x20, byte < 0x7F, !"\"<>\\^`{|}".utf8.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + [byte].hexadecimal(isUppercase: true)
            }
        }
        return encoded
    }

    // The host is after `//` and the user name, and before the port.
    private static func withASCIIHost(_ text: String) -> String? {
        guard let slashes = text.firstRange(of: "//") else { return nil }
        let authority = text[slashes.upperBound...].prefix { !"/?#".contains($0) }
        let start = authority.lastIndex(of: "@").map(authority.index(after:))
        let host = authority[(start ?? authority.startIndex)...].prefix { $0 != ":" }
        guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        guard let ascii = HostName.ascii(host) else { return nil }
        return text[..<host.startIndex] + ascii + text[host.endIndex...]
    }

    /// The last part of a URL's path, decoded, or empty.
    static func fileName(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        let part = path.split(separator: "/").last.map(String.init) ?? ""
        return PercentEncoding.text(part) ?? part
    }
}
