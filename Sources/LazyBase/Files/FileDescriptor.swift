package import Glibc

/// An open file; closed with the last reference.
package final class FileDescriptor: Sendable {
    package let number: CInt

    /// Takes ownership of an open descriptor.
    package init(_ number: CInt) { self.number = number }

    /// Takes ownership of the result of a call, or throws the error of that call.
    package init(checking number: CInt) throws(SystemError) {
        if number < 0 { throw .last }
        self.number = number
    }

    deinit { close(number) }

    /// Fills a buffer from `offset` up to the end of the file, and returns the number of bytes.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let got = pread(number, rest.baseAddress, rest.count, off_t(offset + done))
            if got == 0 { break }
            if got > 0 { done += got } else if errno != EINTR { throw .last }
        }
        return done
    }

    /// Up to `count` bytes from `offset`; fewer at the end of the file.
    package func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        try [UInt8].reading(count) { buffer throws(SystemError) in
            try read(at: offset, into: buffer)
        }
    }

    /// Writes all bytes at `offset`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let put = pwrite(number, rest.baseAddress, rest.count, off_t(offset + done))
            if put >= 0 { done += put } else if errno != EINTR { throw .last }
        }
    }

    /// Writes all bytes at `offset`.
    package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try bytes.withBytes { buffer throws(SystemError) in try write(buffer, at: offset) }
    }

    /// Writes all bytes of some buffers one after the other at `offset`, mostly by one system call.
    package func write(_ parts: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
        var rest = parts[...]
        var place = offset
        while !rest.isEmpty {
            let vectors = rest.prefix(Self.maxParts).map { part in
                iovec(
                    iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress),
                    iov_len: part.count)
            }
            var put = pwritev(number, vectors, CInt(vectors.count), off_t(place))
            if put < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            place += put
            while let part = rest.first, put >= part.count {
                put -= part.count
                rest.removeFirst()
            }
            if put > 0 { rest[rest.startIndex] = .init(rebasing: rest[rest.startIndex][put...]) }
        }
    }

    /// The number of buffers that Linux accepts in one call (`IOV_MAX`).
    private static let maxParts = 1024

    /// Changes the size of the file.
    package func truncate(to size: Int) throws(SystemError) {
        if ftruncate(number, off_t(size)) != 0 { throw .last }
    }

    /// The number of bytes for which its file system has room; nil if that is unknown.
    package var freeBytes: Int? {
        var status = statvfs()
        guard fstatvfs(number, &status) == 0 else { return nil }
        let (bytes, isLarge) = status.f_bavail.multipliedReportingOverflow(by: status.f_frsize)
        return isLarge ? .max : Int(clamping: bytes)
    }

    /// The metadata of the file.
    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        if fstat(number, &status) != 0 { throw .last }
        return FileStatus(status)
    }

    /// Takes the file's exclusive lock until the descriptor is closed; false if it is held elsewhere.
    package func lock(waiting: Bool) throws(SystemError) -> Bool {
        try takeLock(LOCK_EX | (waiting ? 0 : LOCK_NB))
    }

    /// Takes the file's shared lock; false if it is held exclusively elsewhere.
    ///
    /// Releases a lock that was held before, briefly or, on failure, for good.
    package func lockShared() throws(SystemError) -> Bool { try takeLock(LOCK_SH | LOCK_NB) }

    /// Releases the lock.
    package func unlock() { flock(number, LOCK_UN) }

    private func takeLock(_ operation: CInt) throws(SystemError) -> Bool {
        while flock(number, operation) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .last }
        }
        return true
    }

    /// Sets the time of the last use, and that of the last change unless it is nil.
    package func setTimes(used: WallTime, changed: WallTime?) {
        var times = [timespec(used), timespec(changed ?? used)]
        // UTIME_OMIT: leaves it unchanged.
        if changed == nil { times[1].tv_nsec = (1 << 30) - 2 }
        futimens(number, &times)
    }
}

/// The metadata of a file.
package struct FileStatus: Equatable, Sendable {
    /// Distinguishes a file from others as long as it is open.
    package struct Identity: Hashable, Sendable {
        package let device: UInt64
        package let inode: UInt64
        package let changed: WallTime

        /// Whether it is the same file, possibly changed since.
        package func isSameFile(as other: Identity) -> Bool {
            device == other.device && inode == other.inode
        }
    }
    package let identity: Identity
    package let size: Int
    package let allocatedSize: Int
    package let lastUsed: WallTime
    /// The ID of the owner.
    package let owner: UInt32
    package let mode: UInt32
    /// The number of hard links.
    package let linkCount: Int
    package var changed: WallTime { identity.changed }
    /// The allocated bytes of a file that may have holes.
    package var keptSize: Int { min(size, allocatedSize) }
    /// Whether the owner is the user of this process.
    package var isOurs: Bool { owner == geteuid() }
    package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    package var isFile: Bool { mode & S_IFMT == S_IFREG }
    package var isLink: Bool { mode & S_IFMT == S_IFLNK }

    package init(_ status: stat) {
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
    package init(_ time: timespec) {
        self.init(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

extension timespec {
    package init(_ time: WallTime) {
        let rest = time.milliseconds - time.seconds * 1000
        self.init(tv_sec: Int(time.seconds), tv_nsec: Int(rest) * 1_000_000)
    }
}

extension [UInt8] {
    /// Makes an array that a closure fills; the closure returns the number of bytes.
    package static func reading<Failure: Error>(
        _ capacity: Int,
        _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> [UInt8] {
        // The storage of the empty array is shared by all threads and must not be written.
        if capacity <= 0 { return [] }
        var failure: Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
            do throws(Failure) { filled = try fill(UnsafeMutableRawBufferPointer(buffer)) } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// `withUnsafeBytes` with a typed error.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBytes { bytes -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body(bytes)) } catch {
                return .failure(error)
            }
        }.get()
    }
}
