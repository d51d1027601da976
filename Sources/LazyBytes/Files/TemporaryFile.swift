import Glibc

/// A file without a name for bytes that do not fit in memory; deleted with its last reference.
package final class TemporaryFile: Sendable {
    private let file: FileDescriptor
    private let length = Locked(0)

    /// Creates an empty file in `TMPDIR`, `/var/tmp` or `/tmp`.
    package init() throws(SystemError) {
        var failure = SystemError(code: ENOENT)
        for folder in Self.folders {
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

    /// `/tmp` is in memory on many machines, `/var/tmp` is not.
    private static var folders: [String] {
        let own = getenv("TMPDIR").map { String(cString: $0) }
        return (own.map { [$0] } ?? []) + ["/var/tmp", "/tmp"]
    }

    /// Appends bytes.
    ///
    /// Blocks. For one writer at a time.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        let start = length.withLock { $0 }
        try file.write(bytes, at: start)
        length.withLock { $0 = start + bytes.count }
    }

    /// Appends bytes.
    ///
    /// Blocks. For one writer at a time.
    package func append(_ bytes: [UInt8]) throws(SystemError) {
        try bytes.withBytes { bytes throws(SystemError) in try append(bytes) }
    }

    /// Reads bytes from `offset` and returns how many; 0 at the end.
    ///
    /// Blocks.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int { try file.read(at: offset, into: buffer) }

    /// The bytes appended so far.
    package var blob: Blob { Blob(FileBlob(file, count: length.withLock { $0 })) }
}
