import Glibc
public import LazyBytes

/// Encoded bytes at hand: in memory, in a file, or fetched in ranges.
///
/// Shared by all readers of a sequence; every method may be called from any thread at once.
public protocol ByteSource: AnyObject, Sendable {
    /// The number of bytes.
    var count: Int { get }

    /// Copies bytes from `offset` on and returns how many were there; 0 at the end.
    ///
    /// Blocks while a file or server answers. Throws `.environment` when reading fails.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int

    /// The same, ending with `.cancelled` as soon as a flag is set.
    ///
    /// Sources that never wait long look at no flag.
    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int

    /// Ends reads under way, and all to come, with `.cancelled`, where bytes are waited for.
    func cancelReads()

    /// The bytes as one piece of memory; a file is read whole, once, on the first call.
    func contiguous() throws(MediaError) -> MemoryBytes

    /// Whether each byte costs time on a network, so that reading all of them is to be avoided.
    var isRemote: Bool { get }

    /// Whether these are the first bytes of more that are still on their way.
    ///
    /// A decoder then gives a frame only where the missing bytes cannot change it, and otherwise
    /// throws `.truncated`.
    var isPartial: Bool { get }
}

extension ByteSource {
    /// Reads without a look at the flag.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer) }

    /// Nothing, as nothing is waited for.
    public func cancelReads() {}

    /// At hand, as most bytes are.
    public var isRemote: Bool { false }

    /// Whole, as most bytes are.
    public var isPartial: Bool { false }
}

/// Encoded bytes in memory; immutable, freed with the last owner.
public final class MemoryBytes: ByteSource, @unchecked Sendable {
    // Unchecked: the memory is written only before `init` returns and freed only in `deinit`.
    private let memory: UnsafeMutableRawPointer
    /// The number of bytes.
    public let count: Int

    /// Makes bytes of a given number, filled by a closure that returns how many it wrote.
    public init(
        capacity: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
    ) throws(MediaError) {
        // 64 bytes of zeros behind the end: FFmpeg's and our own bit readers may look that far.
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

    /// Takes memory of `malloc` over, with room for `padding` behind its bytes.
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

    /// Zero bytes that stand readable behind the last one.
    public static let padding = 64

    /// Lends the bytes; the pointer is good only inside the closure.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Copies bytes from `offset` on and returns how many were there; 0 at the end.
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= 0, offset < count, let target = buffer.baseAddress else { return 0 }
        let length = min(buffer.count, count - offset)
        memcpy(target, memory + offset, length)
        return length
    }

    /// The bytes themselves.
    public func contiguous() -> MemoryBytes { self }
}
