package import LazyBase
package import LazyMedia

/// A blob, or its first part, as a byte source for decoders.
package final class BlobBytes: ByteSource, FileReading {
    private let blob: Blob
    private let whole = WholeBytes()
    package let count: Int
    package let isPartial: Bool

    /// Creates a source of complete bytes.
    package init(_ blob: Blob) {
        self.blob = blob
        count = blob.count
        isPartial = false
    }

    /// Creates a source of the first bytes of a download: a number of them, or all available ones.
    init(partial blob: Blob, count: Int = .max) {
        self.blob = blob
        self.count = min(blob.count, count)
        isPartial = true
    }

    /// The file of complete bytes.
    package var openFile: CInt? { isPartial ? nil : blob.openFile }

    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(MediaError)
        -> Int
    {
        guard offset >= 0, offset < count else { return 0 }
        let length = min(buffer.count, count - offset)
        do throws(SystemError) {
            return try blob.read(at: offset, into: .init(rebasing: buffer[..<length]))
        } catch {
            throw error.mediaError("read", "the loaded bytes")
        }
    }

    package func contiguous() throws(MediaError) -> MemoryBytes { try whole.bytes(of: self) }
}
