internal import LazyBase
internal import LazyMedia

/// The name of a file's thumbnail: the URI of the file, and its MD5.
///
/// The URI must be escaped as GLib does, so that others find the thumbnail (freedesktop.org Thumbnail
/// Managing Standard, "Thumbnail Saving").
struct ThumbnailAddress: Equatable, Sendable {
    /// `file:///` and the path, escaped as GLib does.
    let uri: String

    /// The address of a file at an absolute, clean path.
    init(path: String) {
        uri =
            "file://"
            + PercentEncoding.encode(FileName.bytes(path), allowed: "!$&'()*+,-./:=@_~")
    }

    /// The name of the thumbnail's file.
    var fileName: String { MD5.hash(Array(uri.utf8)).hexadecimal() + ".png" }
}

/// The size of a desktop thumbnail: the side of the square that contains it.
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

    /// The size of the picture: smaller media is not enlarged.
    var target: TargetSize { TargetSize(width: side, height: side, fit: .scaleDown) }
}
