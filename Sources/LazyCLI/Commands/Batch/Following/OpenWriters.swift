import Glibc
internal import LazyBase

/// Whether a file is still being written.
enum OpenWriters {
    /// Where the system cannot tell, a file is complete when it has not changed for so many seconds.
    private static let quiet = 10

    /// Leases that others break are announced by SIGIO, which would end the process.
    static func prepare() { signal(SIGIO, SIG_IGN) }

    /// Whether a process has the file open to write to it.
    ///
    /// The system gives a lease for reading only where none has (fcntl(2), `F_SETLEASE`), and only for files
    /// of this user on local drives.
    static func exist(for path: String) -> Bool {
        let file = open(path.systemPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        if fcntl(file, setLease, CInt(F_RDLCK)) == 0 {
            _ = fcntl(file, setLease, CInt(F_UNLCK))
            return false
        }
        if errno == EAGAIN { return true }
        var status = stat()
        return fstat(file, &status) == 0 && abs(time(nil) - status.st_mtim.tv_sec) < quiet
    }

    // `F_SETLEASE`.
    private static let setLease: CInt = 1024
}
