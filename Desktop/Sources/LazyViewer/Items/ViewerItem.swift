package import FoundationEssentials
package import LazyKit

/// One image, animation or video of the viewer.
package struct ViewerItem: Hashable, Sendable {
    /// Where it is.
    package let url: URL
    /// The name of the file, for people.
    package let name: String
    /// The path, for a local file.
    package let path: String?
    /// What is done to its pictures.
    package var edit: ViewerEdit?

    /// A local file; its path may have any bytes.
    package init?(path: [UInt8]) {
        var text = "file://"
        for byte in path {
            let isPlain =
                byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_") || Self.isAlphanumeric(byte)
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + Self.hexadecimal(byte)
        }
        guard let url = URL(string: text) else { return nil }
        self.url = url
        let last = path.split(separator: UInt8(ascii: "/")).last ?? []
        name = String(decoding: last, as: UTF8.self)
        self.path = String(validating: path, as: UTF8.self)
    }

    /// An address; nil if it is malformed.
    package init?(address: String) {
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            ["http", "https", "file", "data"].contains(scheme)
        else { return nil }
        self.url = url
        let last = scheme == "data" ? "data" : url.lastPathComponent
        name = last.isEmpty ? address : last
        path = scheme == "file" ? url.path : nil
    }

    /// The request of its image.
    package var request: ImageRequest {
        ImageRequest(url: url, processors: edit.map { [$0] } ?? [])
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + text : text
    }
}
