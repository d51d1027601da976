import Glibc

/// The kind of file at a path.
package enum FileKind {
    case nothing, file, folder, device

    /// Whether it can be written to more than once.
    package static func isDevice(_ path: String) -> Bool { FileKind(path) == .device }

    package init(_ path: String) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else {
            self = .nothing
            return
        }
        self.init(status)
    }

    fileprivate init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .folder
        case S_IFREG: self = .file
        default: self = .device
        }
    }
}

/// The identity of a file, independent of its names.
package struct FileIdentity: Equatable {
    /// What it is.
    package let kind: FileKind
    private let device: UInt64
    private let number: UInt64

    /// The file that a path leads to, or nil where there is none.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { return nil }
        kind = FileKind(status)
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}

extension FileIdentity {
    /// The path of a regular file with all links followed, or nil where there is none.
    package static func realPath(_ path: String) -> String? {
        guard FileKind(path) == .file, let real = realpath(path.systemPath, nil) else { return nil }
        defer { free(real) }
        return FileName.text(real)
    }
}
