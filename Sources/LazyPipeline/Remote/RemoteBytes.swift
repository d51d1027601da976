public import LazyBytes
public import LazyLoading
public import LazyMedia

/// The bytes of a `RangeReader` for decoders.
///
/// Every read blocks until the server has answered; what fails is a `MediaError` with the
/// `LoadingError` as its underlying error.
public final class RemoteBytes: ByteSource {
    private let reader: RangeReader
    private let whole = Locked<MemoryBytes?>(nil)

    /// Makes a source over a reader.
    public init(_ reader: RangeReader) { self.reader = reader }

    /// The number of bytes.
    public var count: Int { reader.count }
    /// Each byte costs time.
    public var isRemote: Bool { true }
    /// The bytes that came over the network so far.
    public var bytesRead: Int { reader.bytesRead }
    /// The requests that were made so far.
    public var requests: Int { reader.requests }

    /// Copies bytes from `offset` on and returns how many were there; 0 at the end.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer, flag: nil) }

    /// The same, ending with `.cancelled` as soon as a flag is set.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer, flag: cancellation) }

    /// Ends reads under way, and all to come, with `.cancelled`.
    public func cancelReads() { reader.cancel() }

    /// All bytes, fetched on the first call and kept.
    public func contiguous() throws(MediaError) -> MemoryBytes {
        if let kept = whole.withLock({ $0 }) { return kept }
        let bytes = try MemoryBytes(capacity: count) { (buffer) throws(MediaError) -> Int in
            try read(at: 0, into: buffer)
        }
        whole.withLock { $0 = bytes }
        return bytes
    }

    private func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, flag: CancellationFlag?
    ) throws(MediaError) -> Int {
        do throws(LoadingError) {
            return try reader.read(at: offset, into: buffer, cancellation: flag)
        } catch {
            throw error.asMediaError
        }
    }
}
