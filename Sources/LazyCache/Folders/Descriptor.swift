internal import Glibc
internal import LazyBytes

/// An open file; closed with the last reference.
final class Descriptor: Sendable {
    let number: CInt

    /// Takes an open descriptor over.
    init(_ number: CInt) { self.number = number }

    /// Takes over what a call has opened, or throws the error of that call.
    init(checking number: CInt) throws(SystemError) {
        if number < 0 { throw .last }
        self.number = number
    }

    deinit { close(number) }

    /// Fills a buffer from `offset` on, as far as the file goes, and returns how far.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
    {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let got = pread(number, rest.baseAddress, rest.count, off_t(offset + done))
            if got == 0 { break }
            if got > 0 { done += got } else if errno != EINTR { throw .last }
        }
        return done
    }

    /// The bytes from `offset` on: `count` of them, or as many as are there.
    func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        // The empty array is one for all threads, and filling it would write to it.
        if count <= 0 { return [] }
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all of some bytes at `offset`.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let put = pwrite(number, rest.baseAddress, rest.count, off_t(offset + done))
            if put >= 0 { done += put } else if errno != EINTR { throw .last }
        }
    }

    /// Writes all of some bytes at `offset`.
    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try bytes.lend { buffer throws(SystemError) in try write(buffer, at: offset) }
    }

    /// The text of a link that was opened itself.
    func linkTarget() throws(SystemError) -> String {
        var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = text.withUnsafeMutableBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlinkat(number, "", $0, text.count) } ?? 0
            }
        }
        guard count >= 0 else { throw .last }
        guard count < text.count else { throw SystemError(code: ENAMETOOLONG) }
        return String(decoding: text[..<count], as: UTF8.self)
    }

    func truncate(to size: Int) throws(SystemError) {
        if ftruncate(number, off_t(size)) != 0 { throw .last }
    }

    /// What the system knows of the file.
    func status() throws(SystemError) -> FileStatus {
        var status = stat()
        if fstat(number, &status) != 0 { throw .last }
        return FileStatus(status)
    }

    /// Takes the file's lock, which ends with the descriptor; false where somebody else has it.
    func lock(waiting: Bool) throws(SystemError) -> Bool {
        while flock(number, LOCK_EX | (waiting ? 0 : LOCK_NB)) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .last }
        }
        return true
    }

    /// Takes the file's lock beside others that share it; false where somebody has it alone.
    ///
    /// Gives up what was held before, for a moment or, where it fails, for good.
    func lockShared() throws(SystemError) -> Bool {
        while flock(number, LOCK_SH | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .last }
        }
        return true
    }

    func unlock() { flock(number, LOCK_UN) }

    /// Sets when the file was used last, and changed last unless that is to stay.
    func setTimes(used: WallTime, changed: WallTime?) {
        var times = [timespec(used), timespec(changed ?? used)]
        // UTIME_OMIT: leave it as it is.
        if changed == nil { times[1].tv_nsec = (1 << 30) - 2 }
        futimens(number, &times)
    }
}

/// What the system knows of a file.
struct FileStatus: Equatable, Sendable {
    /// What tells one file from another as long as somebody has it open.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
        let changed: WallTime

        /// Whether it is the same file, perhaps changed since.
        func isSameFile(as other: Identity) -> Bool {
            device == other.device && inode == other.inode
        }
    }
    let identity: Identity
    let size: Int
    let allocatedSize: Int
    let lastUsed: WallTime
    /// The number of the user whose it is.
    let owner: UInt32
    let mode: UInt32
    /// How many names the file has.
    let linkCount: Int
    var changed: WallTime { identity.changed }
    /// The bytes that are kept of a file that may have holes.
    var keptSize: Int { min(size, allocatedSize) }
    /// Whether it is this process's user's.
    var isOurs: Bool { owner == geteuid() }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    var isFile: Bool { mode & S_IFMT == S_IFREG }
    var isLink: Bool { mode & S_IFMT == S_IFLNK }

    init(_ status: stat) {
        identity = Identity(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
            changed: WallTime(status.st_mtim))
        size = Int(status.st_size)
        allocatedSize = Int(status.st_blocks) * 512
        lastUsed = WallTime(status.st_atim)
        owner = status.st_uid
        mode = status.st_mode
        linkCount = Int(status.st_nlink)
    }
}

extension WallTime {
    init(_ time: timespec) {
        self.init(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

extension timespec {
    init(_ time: WallTime) {
        let rest = time.milliseconds - time.seconds * 1000
        self.init(tv_sec: Int(time.seconds), tv_nsec: Int(rest) * 1_000_000)
    }
}

extension [UInt8] {
    /// `withUnsafeBytes`, which loses the type of the error.
    func lend<Result>(
        _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        try withUnsafeBytes { bytes -> Swift.Result<Result, SystemError> in
            do throws(SystemError) { return .success(try body(bytes)) } catch {
                return .failure(error)
            }
        }.get()
    }
}
