import Glibc
public import LazyBytes

/// Encoded bytes: in memory, in a file, or fetched in ranges.
///
/// All readers of a sequence share one source; every method may be called concurrently.
public protocol ByteSource: AnyObject, Sendable {
    /// The number of bytes.
    var count: Int { get }

    /// Copies bytes from an offset and returns their number; 0 at the end.
    ///
    /// Blocks until a file or server answers. Throws `.environment` when reading fails.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int

    /// Does the same, but throws `.cancelled` soon after a flag is set.
    ///
    /// Sources that never wait long ignore the flag.
    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int

    /// Makes current and future reads that wait for data throw `.cancelled`.
    func cancelReads()

    /// The bytes in contiguous memory; a file is read completely, once, on the first call.
    func contiguous() throws(MediaError) -> MemoryBytes

    /// Whether reading costs network transfer, so that reading everything is to be avoided.
    var isRemote: Bool { get }

    /// Whether these are the first bytes of a file that is still arriving.
    ///
    /// A decoder then returns a frame only where missing bytes cannot change it, and otherwise throws
    /// `.truncated`.
    var isPartial: Bool { get }
}

extension ByteSource {
    /// Reads without checking the flag.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer) }

    /// Does nothing: reads do not wait.
    public func cancelReads() {}

    /// False: the bytes are local.
    public var isRemote: Bool { false }

    /// False: the bytes are complete.
    public var isPartial: Bool { false }
}

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
