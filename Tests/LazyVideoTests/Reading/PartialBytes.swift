import LazyMedia

/// The first bytes of a file that is still arriving.
final class PartialBytes: ByteSource {
    private let bytes: any ByteSource

    /// Marks bytes as incomplete.
    init(_ bytes: any ByteSource) { self.bytes = bytes }

    /// The number of bytes that have arrived.
    var count: Int { bytes.count }
    /// True.
    var isPartial: Bool { true }
    /// As for the wrapped bytes.
    var isRemote: Bool { bytes.isRemote }

    /// Copies bytes from an offset and returns their number; 0 at the end.
    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int { try bytes.read(at: offset, into: buffer) }

    /// As for the wrapped bytes.
    func cancelReads() { bytes.cancelReads() }

    /// The arrived bytes in contiguous memory.
    func contiguous() throws(MediaError) -> MemoryBytes { try bytes.contiguous() }
}
