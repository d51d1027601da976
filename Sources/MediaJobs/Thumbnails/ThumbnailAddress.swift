internal import LazyBytes
internal import LazyFiles

/// The name of a file among the thumbnails that desktops share: its URI, and the MD5 of that.
///
/// The URI must be spelled as GLib spells it, or nobody finds the thumbnail (freedesktop.org Thumbnail
/// Managing Standard, "Thumbnail Saving").
package struct ThumbnailAddress: Equatable, Sendable {
    /// `file:///` with all escaped that GLib escapes.
    package let uri: String

    /// The address of a file at an absolute, clean path.
    package init(path: String) {
        uri =
            "file://"
            + PercentEncoding.encode(FileName.bytes(path), allowed: "!$&'()*+,-./:=@_~")
    }

    /// The name of the thumbnail's file.
    package var fileName: String { MD5.hash(Array(uri.utf8)).hexadecimal() + ".png" }
}

/// How large a desktop's thumbnail is: the side of the square that it fits into.
package enum ThumbnailSize: String, CaseIterable, Sendable {
    case normal, large
    case xLarge = "x-large"
    case xxLarge = "xx-large"

    /// In pixels.
    package var side: Int {
        switch self {
        case .normal: 128
        case .large: 256
        case .xLarge: 512
        case .xxLarge: 1024
        }
    }
}
