import Glibc

/// A file that appears complete, when it is published, or not at all.
///
/// It has no name until then (`O_TMPFILE`), so that even SIGKILL leaves no part of it; where the
/// system cannot do that, it has a name that begins with a full stop. For one task at a time.
package final class NewFile {
    private let folder: String
    private let descriptor: OutputStream
    private var temporary: String?

    // Without /proc an unnamed file cannot be given a name.
    private static let canNameDescriptors = access("/proc/self/fd", X_OK) == 0

    /// Creates a file in an existing folder.
    package init(in folder: String) throws(SystemError) {
        self.folder = folder
        if Self.canNameDescriptors {
            let unnamed = SystemCalls.openUnnamed(in: folder.systemPath)
            if unnamed >= 0 {
                descriptor = OutputStream(number: unnamed)
                return
            }
        }
        while true {
            let path = Self.temporaryPath(in: folder)
            let named = open(path.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if named >= 0 {
                descriptor = OutputStream(number: named)
                temporary = path
                return
            }
            guard errno == EEXIST else { throw .last }
        }
    }

    deinit {
        close(descriptor.number)
        if let temporary { unlink(temporary.systemPath) }
    }

    /// Appends bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        try descriptor.write(bytes)
    }

    /// Copies the permissions of another file, and its owner if that is allowed.
    package func copyMode(of path: String) throws(SystemError) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0,
            fchmod(descriptor.number, status.st_mode & 0o7777) == 0
        else { throw .last }
        _ = fchown(descriptor.number, status.st_uid, status.st_gid)
    }

    /// Is told of each complete file of a task before it gets its name, with its path and descriptor.
    ///
    /// Who records it then knows it again, even if the process is killed before it can record more.
    @TaskLocal
    package static var willPublish: (@Sendable (String, CInt) throws(SystemError) -> Void)?

    /// Names the file in the folder; throws `EEXIST` for an existing file that is not replaced.
    package func publish(as name: String, replacing: Bool) throws(SystemError) {
        let target = FilePath.joined(folder, name)
        try Self.willPublish?(target, descriptor.number)
        if temporary == nil {
            do throws(SystemError) {
                return try SystemCalls.link(descriptor.number, to: target.systemPath)
            } catch {
                guard error.code == EEXIST, replacing else { throw error }
            }
            // Only a rename replaces a file at once, and it needs a name to begin with.
            temporary = try linkTemporary()
        }
        guard let from = temporary else { throw SystemError(code: EIO) }
        if !replacing {
            try SystemCalls.renameToNew(from.systemPath, target.systemPath)
        } else if rename(from.systemPath, target.systemPath) != 0 {
            throw .last
        }
        temporary = nil
    }

    private func linkTemporary() throws(SystemError) -> String {
        while true {
            let path = Self.temporaryPath(in: folder)
            do throws(SystemError) {
                try SystemCalls.link(descriptor.number, to: path.systemPath)
                return path
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
    }

    // In a container every process may have the same number, and a killed one may have left its
    // file: the caller tries again if the name exists.
    private static func temporaryPath(in folder: String) -> String {
        FilePath.joined(folder, ".part.lazyimg-\(getpid())-\(UInt32.random(in: 0 ... .max))")
    }
}
