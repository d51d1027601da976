import Glibc

/// A file without a name for bytes that do not fit in memory; deleted with its last reference.
package final class TemporaryFile: Sendable {
    private let file: FileDescriptor
    private let length = Locked(0)

    /// Creates an empty file in the first of some folders where that is possible.
    package init(in folders: [String] = TemporaryFile.folders) throws(SystemError) {
        var failure = SystemError(code: ENOENT)
        for folder in folders {
            var template = Array((folder + "/lazyimg.XXXXXX").utf8CString)
            // A random name, O_EXCL and mode 0600; the name is removed at once.
            let descriptor = mkstemp(&template)
            guard descriptor >= 0 else {
                failure = .last
                continue
            }
            unlink(template)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            file = FileDescriptor(descriptor)
            return
        }
        throw failure
    }

    /// Uses an empty file that is open already.
    package init(_ file: FileDescriptor) { self.file = file }

    /// `TMPDIR`, `/var/tmp`, `/tmp`; the last is in memory on many machines, `/var/tmp` is not.
    package static var folders: [String] {
        let own = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return (own.isEmpty ? [] : [own]) + sharedFolders
    }

    /// The folders that all users have.
    package static let sharedFolders = ["/var/tmp", "/tmp"]

    /// Appends bytes.
    ///
    /// Blocks. For one writer at a time.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        try write(bytes, at: length.withLock { $0 })
    }

    /// Appends bytes.
    ///
    /// Blocks. For one writer at a time.
    package func append(_ bytes: [UInt8]) throws(SystemError) {
        try bytes.withBytes { bytes throws(SystemError) in try append(bytes) }
    }

    /// Writes bytes at `offset`.
    ///
    /// Blocks. Several threads may write different parts.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        try file.write(bytes, at: offset)
        length.withLock { $0 = max($0, offset + bytes.count) }
    }

    /// The size that a file of this process may have; who writes more is killed (`RLIMIT_FSIZE`).
    package static var maxBytes: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
            return .max
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// The number of bytes for which its file system has room; nil if that is unknown.
    package var freeBytes: Int? { file.freeBytes }

    /// Reads bytes from `offset` and returns how many; 0 at the end.
    ///
    /// Blocks.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int { try file.read(at: offset, into: buffer) }

    /// Up to `count` bytes from `offset`; fewer at the end.
    ///
    /// Blocks.
    package func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        try file.bytes(at: offset, count: count)
    }

    /// The bytes appended so far.
    package var blob: Blob { Blob(FileBlob(file, count: length.withLock { $0 })) }
}
