/// The first bytes of a file whose others are still on their way.
public final class PartialBytes: ByteSource {
    private let bytes: any ByteSource

    /// Marks bytes as the beginning of more.
    public init(_ bytes: any ByteSource) { self.bytes = bytes }

    /// The number of bytes that have arrived.
    public var count: Int { bytes.count }
    /// More is to come.
    public var isPartial: Bool { true }
    /// As the bytes themselves.
    public var isRemote: Bool { bytes.isRemote }

    /// Copies bytes from `offset` on and returns how many were there; 0 at the end.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int { try bytes.read(at: offset, into: buffer) }

    /// As the bytes themselves.
    public func cancelReads() { bytes.cancelReads() }

    /// What has arrived as one piece of memory.
    public func contiguous() throws(MediaError) -> MemoryBytes { try bytes.contiguous() }
}
