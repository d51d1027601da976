import Glibc

/// Encoded bytes in a file, read on demand.
///
/// Not mapped into memory: a file that shrinks while it is read ends early instead of killing the
/// process. Holds one file descriptor until the last reader is gone.
public final class FileBytes: ByteSource, FileReading {
    private let descriptor: CInt
    /// The bytes of a file without a size.
    private let contents: MemoryBytes?
    private let whole = WholeBytes()
    /// The size the file had when it was opened.
    public let count: Int

    /// Opens a regular file; throws `.environment` with the system's error as `underlying`.
    ///
    /// A file without a size, such as those in `/proc`, is read to its end, up to 64 MB. Pipes,
    /// terminals and devices have no size: use `MemoryBytes(reading:limits:)` for those.
    public convenience init(path: String) throws(MediaError) {
        try self.init(name: Array(path.utf8CString), label: path)
    }

    /// Opens a regular file by the bytes of its path, which need not be UTF-8.
    public convenience init(pathBytes: [UInt8]) throws(MediaError) {
        try self.init(
            name: pathBytes.map { CChar(bitPattern: $0) } + [0],
            label: String(decoding: pathBytes, as: UTF8.self))
    }

    /// Opens a regular file by a path that ends in a zero byte; errors name it `label`.
    package init(name: [CChar], label: String) throws(MediaError) {
        let descriptor = open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError.last.mediaError("open", label) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            defer { close(descriptor) }
            throw SystemError.last.mediaError("look at", label)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw SystemError(code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
                .mediaError("read", label)
        }
        self.descriptor = descriptor
        guard status.st_size == 0 else {
            count = Int(status.st_size)
            contents = nil
            return
        }
        do throws(MediaError) {
            let contents = try MemoryBytes(reading: descriptor, limits: Self.sizelessLimits)
            count = contents.count
            self.contents = contents
        } catch {
            // A class that throws before it is initialized runs no `deinit`.
            close(descriptor)
            throw error
        }
    }

    /// Takes ownership of an open regular file of a size.
    package init(adopting descriptor: CInt, count: Int) {
        self.descriptor = descriptor
        self.count = count
        contents = nil
    }

    deinit { close(descriptor) }

    /// The open file, or nil for one without a size.
    package var openFile: CInt? { contents == nil ? descriptor : nil }

    private static let sizelessLimits = DecodingLimits(inputBytes: 64_000_000)

    /// Copies bytes from an offset and returns their number; 0 at the end.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        // The system reports an offset near the end of `Int` as an error of the machine.
        guard offset >= 0, offset < count else { return 0 }
        if let contents { return contents.read(at: offset, into: buffer) }
        while true {
            let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if got >= 0 { return got }
            if errno != EINTR { throw SystemError.last.mediaError("read", "the input") }
        }
    }

    /// The file in contiguous memory, read on the first call and kept.
    public func contiguous() throws(MediaError) -> MemoryBytes {
        if let contents { return contents }
        return try whole.bytes(of: self)
    }
}
