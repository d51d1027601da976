internal import Glibc

/// Bytes that wait for what must stand before them: in memory, and behind a bound in a file.
///
/// The file has no name, so that nothing is left behind whatever happens.
public struct Spool: ~Copyable {
    private let mostInMemory: Int
    private var memory: [UInt8] = []
    private var descriptor: CInt = -1
    /// The bytes put in so far.
    public private(set) var count = 0

    /// Makes an empty one that keeps so many bytes in memory.
    public init(mostInMemory: Int = 4 << 20) { self.mostInMemory = mostInMemory }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Puts bytes behind those before; throws where the temporary folder is full.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        count += bytes.count
        if descriptor < 0, memory.count + bytes.count <= mostInMemory {
            memory.append(contentsOf: bytes)
            return
        }
        if descriptor < 0 { try moveToFile() }
        try write(bytes)
    }

    /// Hands out all that was put in, piece by piece.
    public func readAll(_ use: ([UInt8]) throws(MediaError) -> Void) throws(MediaError) {
        guard descriptor >= 0 else {
            if !memory.isEmpty { try use(memory) }
            return
        }
        var offset = 0
        while offset < count {
            var got = 0
            let piece = [UInt8](unsafeUninitializedCapacity: min(1 << 18, count - offset)) {
                got = pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
                $1 = max(0, got)
            }
            guard got > 0 else { throw SystemError.last.mediaError("read", "a temporary file") }
            offset += got
            try use(piece)
        }
    }

    /// Fills a buffer with the bytes that were put in from an offset on.
    ///
    /// They must be there; throws where the file cannot be read.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        precondition(offset >= 0 && offset + buffer.count <= count, "behind what was put in")
        guard descriptor >= 0 else {
            memory.withUnsafeBytes {
                buffer.copyMemory(from: .init(rebasing: $0[offset..<(offset + buffer.count)]))
            }
            return
        }
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw SystemError.last.mediaError("read", "a temporary file") }
            done += got
        }
    }

    private mutating func moveToFile() throws(MediaError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(folder)/lazyimg-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw SystemError.last.mediaError("make a file in", folder) }
        unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let kept = memory
        memory = []
        var failure: MediaError?
        kept.withUnsafeBytes { bytes in
            do throws(MediaError) { try write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let wrote = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if wrote < 0, errno == EINTR { continue }
            guard wrote > 0 else { throw SystemError.last.mediaError("write", "a temporary file") }
            done += wrote
        }
    }
}
