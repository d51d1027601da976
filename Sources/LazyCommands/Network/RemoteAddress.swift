internal import FoundationEssentials

/// Tells `http` and `https` addresses from paths.
enum RemoteAddress {
    /// Whether a text is meant to be one.
    static func isMeant(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// The address, or nil where the text is none.
    ///
    /// What browsers encode for their users is encoded: spaces and letters beyond ASCII.
    static func url(_ text: String) -> URL? {
        guard isMeant(text), !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        var encoded = ""
        for byte in text.utf8 {
            if byte > 0x20, byte < 0x7F, !"\"<>\\^`{|}".utf8.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + hex(byte >> 4) + hex(byte & 15)
            }
        }
        guard let url = URL(string: encoded), let host = url.host(percentEncoded: true),
            !host.isEmpty, !host.contains("%")
        else {
            return nil
        }
        return url
    }

    private static func hex(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }

    /// The last part of an address's path, decoded, or nothing.
    static func fileName(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        let part = path.split(separator: "/").last.map(String.init) ?? ""
        return PercentEncoding.text(part) ?? part
    }
}
