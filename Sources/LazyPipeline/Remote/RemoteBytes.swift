package import LazyBase
package import LazyLoading
package import LazyMedia

/// The bytes of a `RangeReader` as a byte source for decoders.
///
/// Every read blocks until the server has answered; errors are a `MediaError` with the
/// `LoadingError` as its underlying error.
package final class RemoteBytes: RangedBytes {
    private let reader: RangeReader
    private let whole = WholeBytes()

    /// Creates a source over a reader.
    package init(_ reader: RangeReader) { self.reader = reader }

    /// The number of bytes.
    package var count: Int { reader.count }
    /// Always true: reading takes network time.
    package var isRemote: Bool { true }
    /// Always true.
    package var fetchesRanges: Bool { true }

    /// Copies bytes from `offset` on and returns their number; 0 at the end.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer, flag: nil) }

    /// Copies bytes; throws `.cancelled` as soon as a flag is set.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int { try read(at: offset, into: buffer, flag: cancellation) }

    /// Fetches the missing part of a range, of at most half the blocks that are kept in memory.
    package func willRead(_ range: Range<Int>) { reader.willRead(range) }

    /// Fails present and later reads with `.cancelled`.
    package func cancelReads() { reader.cancel() }

    /// All bytes, fetched by the first call and kept.
    package func contiguous() throws(MediaError) -> MemoryBytes { try whole.bytes(of: self) }

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
