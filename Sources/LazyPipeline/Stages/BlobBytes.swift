internal import LazyBytes
internal import LazyMedia

/// What the bytes side has, as the pixels side reads it.
final class BlobBytes: ByteSource {
    private let blob: Blob
    private let whole = Locked<MemoryBytes?>(nil)
    let count: Int

    init(_ blob: Blob) {
        self.blob = blob
        count = blob.count
    }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
    {
        do throws(SystemError) { return try blob.read(at: offset, into: buffer) } catch {
            throw error.mediaError("read", "the loaded bytes")
        }
    }

    func contiguous() throws(MediaError) -> MemoryBytes {
        if let kept = whole.withLock({ $0 }) { return kept }
        // Two threads may both read; the first one's memory stays.
        let bytes = try MemoryBytes(capacity: count) { (buffer) throws(MediaError) in
            var filled = 0
            while filled < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let got = try read(at: filled, into: rest)
                if got == 0 { break }
                filled += got
            }
            return filled
        }
        return whole.withLock { kept in
            if let kept { return kept }
            kept = bytes
            return bytes
        }
    }
}
