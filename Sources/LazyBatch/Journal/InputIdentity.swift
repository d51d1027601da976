import Glibc
internal import LazyBase

/// Which state of which file an input is: device, number, size and last change, without reading it.
struct InputIdentity: Hashable, Sendable {
    let text: String

    init?(_ text: String) {
        guard text.utf8.split(separator: UInt8(ascii: ":")).count == 4 else { return nil }
        self.text = text
    }

    /// The file at a path as it is now, or nil where there is no plain file.
    init?(path: String) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { return nil }
        self.init(status)
    }

    /// That of a file's metadata, or nil for anything but a plain file.
    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let time = "\(status.st_mtim.tv_sec).\(String(status.st_mtim.tv_nsec).padded(to: 9))"
        text = "\(status.st_dev):\(status.st_ino):\(status.st_size):\(time)"
    }
}
