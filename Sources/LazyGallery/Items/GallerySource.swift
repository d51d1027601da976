import Glibc
internal import LazyBase
internal import LazyMedia

/// A file that becomes an item of a gallery.
public struct GallerySource: Sendable {
    /// The path of the file.
    public let path: String
    /// The folders between the searched folder and the file, without slashes at the ends.
    public let subfolder: String

    /// Makes a source; `subfolder` is shown, and tells files of one name apart.
    public init(path: String, subfolder: String = "") {
        self.path = path
        self.subfolder = subfolder
    }

    /// The size in bytes and the time of the last change; throws `.environment` where the file cannot be asked.
    func state() throws(MediaError) -> (byteCount: Int, modified: Int) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else {
            throw SystemError.last.mediaError("look at", path)
        }
        return (Int(status.st_size), Int(status.st_mtim.tv_sec))
    }
}
