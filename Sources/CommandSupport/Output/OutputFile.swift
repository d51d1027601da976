internal import CLazySystem
import Glibc
internal import LazyBytes
internal import LazyFiles
internal import LazyMedia

/// A file in the making that appears whole, when it is kept, or not at all.
///
/// It has no name until then where the system can do that, else one that begins with a full stop.
/// For one task at a time.
package final class OutputFile {
    private let folder: OutputFolder
    private let descriptor: CInt
    private var temporary: String?

    /// Begins a file in a folder that is there; a failure is told of the name, where it is known.
    package init(in folder: OutputFolder, for name: String? = nil) throws(CommandFailure) {
        self.folder = folder
        // Without /proc there is no way from an unnamed file to a name.
        if access("/proc/self/fd", X_OK) == 0 {
            let unnamed = lazy_open_unnamed(folder.path.systemPath, 0o666)
            if unnamed >= 0 {
                descriptor = unnamed
                return
            }
        }
        var path = folder.temporaryPath(for: "part")
        var named = open(path.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        while named < 0, errno == EEXIST {
            path = folder.temporaryPath(for: "part")
            named = open(path.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        }
        guard named >= 0 else {
            throw CommandFailure(writing: name.map { folder.path(of: $0) } ?? folder.path, .last)
        }
        descriptor = named
        temporary = path
    }

    deinit {
        close(descriptor)
        if let temporary { unlink(temporary.systemPath) }
    }

    /// Appends bytes.
    package func append(_ bytes: UnsafeRawBufferPointer, of name: String) throws(CommandFailure) {
        do throws(SystemError) {
            try OutputStream(number: descriptor).write(bytes)
        } catch {
            throw CommandFailure(writing: folder.path(of: name), error)
        }
    }

    /// Gives the file the permissions of another one.
    package func takeMode(of path: String, for name: String) throws(CommandFailure) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0, fchmod(descriptor, status.st_mode & 0o7777) == 0
        else {
            throw CommandFailure(writing: folder.path(of: name), .last)
        }
        // Another's file stays theirs where that is allowed.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }

    /// Gives the file its name; throws with the status for an existing file under `.never`.
    package func keep(as name: String, _ policy: OverwritePolicy) throws(CommandFailure) {
        do throws(SystemError) {
            if temporary == nil, try link(to: name, policy) { return }
            guard let path = temporary else { throw SystemError(code: EIO) }
            // Taken away by the renaming, also where that fails.
            temporary = nil
            try folder.rename(path, to: name, policy)
        } catch {
            throw CommandFailure(writing: folder.path(of: name), error)
        }
    }

    // True where the file has its name; else it has a temporary one, to be renamed.
    private func link(
        to name: String, _ policy: OverwritePolicy
    ) throws(SystemError) -> Bool {
        if lazy_link_unnamed(descriptor, folder.path(of: name).systemPath) == 0 { return true }
        guard errno == EEXIST, policy == .always else { throw .last }
        var path = folder.temporaryPath(for: name)
        while lazy_link_unnamed(descriptor, path.systemPath) != 0 {
            guard errno == EEXIST else { throw .last }
            path = folder.temporaryPath(for: name)
        }
        temporary = path
        return false
    }
}
