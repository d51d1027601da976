import Glibc

/// Encoded bytes in memory; immutable, freed with the last owner.
public final class MemoryBytes: ByteSource, @unchecked Sendable {
    // Unchecked: the memory is written only before `init` returns and freed only in `deinit`.
    private let memory: UnsafeMutableRawPointer
    /// The number of bytes.
    public let count: Int

    /// Makes bytes of a capacity; a closure fills them and returns how many it wrote.
    public init(
        capacity: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
    ) throws(MediaError) {
        // 64 zero bytes after the end: FFmpeg's and our bit readers may read that far.
        guard let memory = malloc(capacity + Self.padding) else {
            throw Self.noMemory(capacity)
        }
        do {
            count = try fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
        } catch {
            free(memory)
            throw error
        }
        memset(memory + count, 0, Self.padding)
        self.memory = memory
    }

    /// Takes over memory from `malloc` that has room for `padding` after its bytes.
    init(adopting memory: UnsafeMutableRawPointer, count: Int) {
        let fitting = realloc(memory, count + Self.padding) ?? memory
        memset(fitting + count, 0, Self.padding)
        self.memory = fitting
        self.count = count
    }

    static func noMemory(_ count: Int) -> MediaError {
        MediaError(.environment, "There is no memory for \(count) bytes of input.")
    }

    /// Makes bytes by copying a sequence of them.
    public convenience init(_ bytes: some Collection<UInt8>) throws(MediaError) {
        try self.init(capacity: bytes.count) { (buffer) throws(MediaError) -> Int in
            buffer.copyBytes(from: bytes)
            return bytes.count
        }
    }

    deinit { free(memory) }

    /// The number of readable zero bytes after the end.
    public static let padding = 64

    /// Provides the bytes to a closure; the pointer is valid only inside it.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Copies bytes from an offset and returns their number; 0 at the end.
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= 0, offset < count, let target = buffer.baseAddress else { return 0 }
        let length = min(buffer.count, count - offset)
        memcpy(target, memory + offset, length)
        return length
    }

    /// These bytes.
    public func contiguous() -> MemoryBytes { self }
}

extension MemoryBytes {
    /// Reads a descriptor, such as standard input, to its end; throws once a limit is exceeded.
    public convenience init(
        reading descriptor: CInt, limits: DecodingLimits
    ) throws(MediaError) {
        var room = 1 << 16
        var count = 0
        guard var memory = malloc(room + Self.padding) else { throw Self.noMemory(room) }
        do throws(MediaError) {
            while true {
                if count == room {
                    // Blocks of this size grow in place, by remapping pages.
                    room *= 2
                    guard let grown = realloc(memory, room + Self.padding) else {
                        throw Self.noMemory(room)
                    }
                    memory = grown
                }
                let got = Glibc.read(descriptor, memory + count, room - count)
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { throw SystemError.last.mediaError("read", "standard input") }
                if got == 0 { break }
                count += got
                try limits.check(inputBytes: count)
                try limits.check(memory: count)
            }
        } catch {
            free(memory)
            throw error
        }
        self.init(adopting: memory, count: count)
    }
}
