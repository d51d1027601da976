public import LazyBase

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

    /// Tells that a range is going to be read, completely and soon, so that it is fetched in few requests.
    ///
    /// Returns at once. Reading is the same without it, and never waits for more than it reads.
    func willRead(_ range: Range<Int>)

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

    /// Of a stream that goes on, the number of bytes that were there when it was opened; nil for other sources.
    ///
    /// Its `count` is no more than a bound, and `isPartial` is true. Opening reads none but the bytes that are
    /// there; later reads wait, and return fewer bytes than asked for as soon as there are some.
    var arrived: Int? { get }
}

extension ByteSource {
    /// Reads without checking the flag.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer) }

    /// Does nothing: reads cost the same, however they are divided.
    public func willRead(_ range: Range<Int>) {}

    /// Does nothing: reads do not wait.
    public func cancelReads() {}

    /// False: the bytes are local.
    public var isRemote: Bool { false }

    /// False: the bytes are complete.
    public var isPartial: Bool { false }

    /// Nil: the end is known.
    public var arrived: Int? { nil }
}
