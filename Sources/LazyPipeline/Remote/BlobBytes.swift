package import LazyBytes
package import LazyMedia

/// What the bytes side has, or has so far, as the pixels side reads it.
package final class BlobBytes: ByteSource {
    private let blob: Blob
    private let whole = Locked<MemoryBytes?>(nil)
    package let count: Int
    package let isPartial: Bool

    /// Takes all bytes.
    package init(_ blob: Blob) {
        self.blob = blob
        count = blob.count
        isPartial = false
    }

    /// Takes the first bytes of more that are on their way: so many, or all that are there.
    init(partial blob: Blob, count: Int = .max) {
        self.blob = blob
        self.count = min(blob.count, count)
        isPartial = true
    }

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

    package func contiguous() throws(MediaError) -> MemoryBytes {
        if let kept = whole.withLock({ $0 }) { return kept }
        // Two threads may both read; the first one's memory stays.
        let bytes = try memory(0..<count)
        return whole.withLock { kept in
            if let kept { return kept }
            kept = bytes
            return bytes
        }
    }
}
