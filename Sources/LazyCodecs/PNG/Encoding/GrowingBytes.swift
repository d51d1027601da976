internal import CKernels
internal import LazyMedia

/// A growing buffer that is reused; owns its memory.
struct GrowingBytes: ~Copyable {
    var buffer = cscanline_buffer()

    deinit {
        var last = buffer
        cscanline_free(&last)
    }

    var count: Int { buffer.count }

    /// Removes the content and keeps the memory.
    mutating func removeAll() { buffer.count = 0 }

    mutating func append(_ bytes: some Collection<UInt8>) throws(MediaError) {
        let free = try room(for: bytes.count)
        _ = UnsafeMutableBufferPointer(start: free, count: bytes.count)
            .update(fromContentsOf: bytes)
        buffer.count += bytes.count
    }

    /// Replaces existing bytes.
    mutating func replace(at offset: Int, with bytes: some Collection<UInt8>) {
        precondition(offset >= 0 && offset + bytes.count <= count)
        guard let start = buffer.bytes else { return }
        _ = UnsafeMutableBufferPointer(start: start + offset, count: bytes.count)
            .update(fromContentsOf: bytes)
    }

    /// Reserves room for so many bytes after the content and returns its address.
    mutating func room(for more: Int) throws(MediaError) -> UnsafeMutablePointer<UInt8> {
        guard cscanline_reserve(&buffer, max(1, more)) != 0, let bytes = buffer.bytes else {
            throw MediaError(.environment, "There is no memory for writing a PNG.")
        }
        return bytes + buffer.count
    }

    /// Counts bytes that were written after the content.
    mutating func didFill(_ count: Int) {
        precondition(buffer.count + count <= buffer.capacity)
        buffer.count += count
    }

    /// Lends the address of the bytes; calls nothing where none were ever reserved.
    func withStart<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        guard let bytes = buffer.bytes else { preconditionFailure("no room was made") }
        return body(bytes)
    }

    /// The CRC of the bytes from `offset` to the end.
    func crc(from offset: Int) -> UInt32 {
        precondition(offset >= 0 && offset <= count)
        return buffer.bytes.map { cscanline_crc($0 + offset, count - offset) } ?? 0
    }

    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try body(UnsafeRawBufferPointer(start: buffer.bytes, count: count))
    }
}
