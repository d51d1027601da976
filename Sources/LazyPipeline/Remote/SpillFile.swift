internal import Glibc
internal import LazyBytes

/// A file without a name for bytes that are too many for memory; gone with its last reader.
final class SpillFile: Sendable {
    private let descriptor: CInt
    private let length = Locked(0)

    init() throws(SystemError) {
        var failure = SystemError(code: ENOENT)
        for folder in Self.folders {
            var template = Array((folder + "/lazyimg.XXXXXX").utf8CString)
            let descriptor = mkstemp(&template)
            guard descriptor >= 0 else {
                failure = .last
                continue
            }
            unlink(template)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            self.descriptor = descriptor
            return
        }
        throw failure
    }

    deinit { close(descriptor) }

    /// `/tmp` is memory on many machines, `/var/tmp` is not.
    private static var folders: [String] {
        let own = getenv("TMPDIR").map { String(cString: $0) }
        return (own.map { [$0] } ?? []) + ["/var/tmp", "/tmp"]
    }

    /// Appends bytes; blocks.
    ///
    /// For one writer at a time.
    func append(_ bytes: [UInt8]) throws(SystemError) {
        var done = 0
        let start = length.withLock { $0 }
        while done < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    off_t(start + done))
            }
            if written < 0, errno == EINTR { continue }
            if written < 0 { throw .last }
            done += written
        }
        length.withLock { $0 = start + bytes.count }
    }

    /// What was appended so far.
    var blob: Blob { Blob(Part(self, length.withLock { $0 })) }

    /// The first bytes of the file, which do not change any more.
    private final class Part: BlobReading {
        let file: SpillFile
        let count: Int

        init(_ file: SpillFile, _ count: Int) {
            self.file = file
            self.count = count
        }

        func read(
            at offset: Int, into buffer: UnsafeMutableRawBufferPointer
        ) throws(SystemError) -> Int {
            guard offset >= 0, offset < count else { return 0 }
            while true {
                let wanted = min(buffer.count, count - offset)
                let got = pread(file.descriptor, buffer.baseAddress, wanted, off_t(offset))
                if got >= 0 { return got }
                if errno != EINTR { throw .last }
            }
        }
    }
}
