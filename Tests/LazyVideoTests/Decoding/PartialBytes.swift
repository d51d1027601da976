import LazyMedia

/// The first bytes of a file whose others are still on their way.
final class PartialBytes: ByteSource {
    private let bytes: any ByteSource

    /// Marks bytes as the beginning of more.
    init(_ bytes: any ByteSource) { self.bytes = bytes }

    /// The number of bytes that have arrived.
    var count: Int { bytes.count }
    /// More is to come.
    var isPartial: Bool { true }
    /// As the bytes themselves.
    var isRemote: Bool { bytes.isRemote }

    /// Copies bytes from `offset` on and returns how many were there; 0 at the end.
    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int { try bytes.read(at: offset, into: buffer) }

    /// As the bytes themselves.
    func cancelReads() { bytes.cancelReads() }

    /// What has arrived as one piece of memory.
    func contiguous() throws(MediaError) -> MemoryBytes { try bytes.contiguous() }
}
