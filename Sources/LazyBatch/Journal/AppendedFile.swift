import Glibc
internal import LazyBase

/// Opens a file to which is added, such as a journal, where no other user has led it.
///
/// Outputs replace a link; what is added to follows it. In a folder in which others may write, the link of another
/// user, or a file that he has put there, is refused as Linux does it (`protected_symlinks`,
/// `protected_regular`), also where that is switched off.
enum AppendedFile {
    /// Returns the descriptor; throws `EPERM` for what belongs to another user.
    static func open(_ path: String) throws(SystemError) -> CInt {
        try open(path, in: AT_FDCWD, links: 16)
    }

    private static func open(
        _ path: String, in base: CInt, links: Int
    ) throws(SystemError) -> CInt {
        let folder = try FileDescriptor(
            checking: openat(
                base, path.parentFolder.systemPath, placeOnly | O_DIRECTORY | O_CLOEXEC))
        defer { withExtendedLifetime(folder) {} }
        let name = path.lastName
        var around = stat()
        guard fstat(folder.number, &around) == 0 else { throw .last }
        if let target = try target(name, in: folder.number, around) {
            guard links > 0 else { throw SystemError(code: ELOOP) }
            return try open(target, in: folder.number, links: links - 1)
        }
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = openat(folder.number, name.systemPath, flags | O_CREAT, 0o644)
        guard file >= 0 else { throw .last }
        var status = stat()
        guard fstat(file, &status) == 0, isTrusted(status, in: around, sharing: 0o002) else {
            close(file)
            throw SystemError(code: EPERM)
        }
        return file
    }

    // `O_PATH`, for folders that may not be listed.
    private static let placeOnly: CInt = 0o10000000

    /// What a name leads to if it is a link.
    private static func target(
        _ name: String, in folder: CInt, _ around: stat
    ) throws(SystemError) -> String? {
        var link = stat()
        guard fstatat(folder, name.systemPath, &link, AT_SYMLINK_NOFOLLOW) == 0,
            link.st_mode & S_IFMT == S_IFLNK
        else { return nil }
        guard isTrusted(link, in: around, sharing: 0o022) else { throw SystemError(code: EPERM) }
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(folder, name.systemPath, &bytes, bytes.count)
        guard count > 0 else { throw .last }
        return FileName.text(bytes[..<count].map { UInt8(bitPattern: $0) })
    }

    /// Whether a name was made by this user, root or the owner of its folder, or nobody else may write there.
    private static func isTrusted(_ status: stat, in folder: stat, sharing: mode_t) -> Bool {
        folder.st_mode & sharing == 0 || [geteuid(), 0, folder.st_uid].contains(status.st_uid)
    }
}
