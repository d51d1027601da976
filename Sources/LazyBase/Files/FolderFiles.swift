import Glibc

/// The files in a folder and below it, none of which a name leads out of.
///
/// A path is followed first, with the links in it, and what it leads to is opened beneath the open folder without
/// following any: a link that is exchanged in between is refused. Who has such a file uses the open one, and never
/// opens the path again.
package final class FolderFiles: Sendable {
    /// Why a file was not opened.
    package enum Failure: Error {
        /// There is none.
        case missing(SystemError)
        /// It is not in the folder.
        case outside
        /// It is a folder, a pipe or a device.
        case noFile
        /// The system refuses.
        case system(SystemError)
    }

    private let folder: FileDescriptor
    /// The folder with all links followed, and a slash.
    private let prefix: String

    /// Opens a folder; nil where there is none.
    package init?(_ path: String) {
        guard let real = Self.followed(path),
            let folder = try? FileDescriptor(
                checking: Glibc.open(real.systemPath, Self.asPlace | O_DIRECTORY | O_CLOEXEC))
        else { return nil }
        self.folder = folder
        prefix = real.endsInSlash ? real : real + "/"
    }

    /// Opens a regular file for reading by its path, which is not relative to the folder.
    package func open(_ path: String) throws(Failure) -> (FileDescriptor, FileStatus) {
        guard let real = Self.followed(path) else {
            let error = SystemError.last
            throw error.code == EACCES ? .system(error) : .missing(SystemError(code: ENOENT))
        }
        guard real.hasPathPrefix(prefix) else { throw .outside }
        let name = real.systemPath.dropFirst(prefix.systemPath.count - 1)
        // A pipe would wait for its writer.
        let number = SystemCalls.open(
            Array(name), beneath: folder.number, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        do throws(SystemError) {
            let file = try FileDescriptor(checking: number)
            let status = try file.status()
            guard status.isFile else { throw SystemError(code: EINVAL) }
            return (file, status)
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR: throw .missing(error)
            case ELOOP, EXDEV: throw .outside
            case EINVAL, EISDIR, ENXIO: throw .noFile
            default: throw .system(error)
            }
        }
    }

    /// `O_PATH`, which is missing in Glibc's module; equal on all known architectures.
    private static let asPlace: CInt = 0o10000000

    private static func followed(_ path: String) -> String? {
        guard let real = realpath(path.systemPath, nil) else { return nil }
        defer { free(real) }
        return FileName.text(real)
    }
}
