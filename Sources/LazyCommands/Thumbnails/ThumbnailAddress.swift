internal import CDigest

/// The name of a file among the thumbnails that desktops share: its URI, and the MD5 of that.
///
/// The URI must be spelled as GLib spells it, or nobody finds the thumbnail (freedesktop.org Thumbnail
/// Managing Standard, "Thumbnail Saving").
struct ThumbnailAddress: Equatable, Sendable {
    /// `file:///` with all escaped that GLib escapes.
    let uri: String

    /// The address of a file at an absolute, clean path.
    init(path: String) {
        var uri = "file://"
        for byte in FileName.bytes(path) {
            if Self.isPlain(byte) {
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                uri += "%" + String(byte, radix: 16, uppercase: true).padded(to: 2)
            }
        }
        self.uri = uri
    }

    /// The name of the thumbnail's file.
    var fileName: String {
        let bytes = Array(uri.utf8)
        var digest = [UInt8](repeating: 0, count: Int(LAZY_MD5_LENGTH))
        lazy_md5(bytes, bytes.count, &digest)
        return digest.map { String($0, radix: 16).padded(to: 2) }.joined() + ".png"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!$&'()*+,-./:=@_~".utf8.contains(byte)
        }
    }
}

/// How large a desktop's thumbnail is: the side of the square that it fits into.
enum ThumbnailSize: String, CaseIterable, Sendable {
    case normal, large
    case xLarge = "x-large"
    case xxLarge = "xx-large"

    /// In pixels.
    var side: Int {
        switch self {
        case .normal: 128
        case .large: 256
        case .xLarge: 512
        case .xxLarge: 1024
        }
    }
}
