internal import LazyBase
internal import LazyMedia

/// The bytes of a download in progress; those that have not arrived are fetched by ranges.
final class ArrivingBytes: ByteSource {
    private let body: GrowingBody
    private let parts: any ByteSource
    /// Bytes that have arrived: a new blob of them costs the download a copy.
    private let arrived: Locked<Blob>
    private let whole = WholeBytes()

    /// Creates a source over a download, and over the parts of the same file.
    init(_ body: GrowingBody, parts: any ByteSource) {
        self.body = body
        self.parts = parts
        arrived = Locked(body.blob)
    }

    var count: Int { parts.count }

    var isRemote: Bool { true }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        guard let blob = blob(through: offset + buffer.count) else {
            return try parts.read(at: offset, into: buffer)
        }
        return try BlobBytes(blob).read(at: offset, into: buffer)
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int {
        guard let blob = blob(through: offset + buffer.count) else {
            return try parts.read(at: offset, into: buffer, cancellation: cancellation)
        }
        return try BlobBytes(blob).read(at: offset, into: buffer)
    }

    func willRead(_ range: Range<Int>) {
        let start = max(range.lowerBound, Int(body.progress.completed))
        if start < range.upperBound { parts.willRead(start..<range.upperBound) }
    }

    func cancelReads() { parts.cancelReads() }

    func contiguous() throws(MediaError) -> MemoryBytes { try whole.bytes(of: self) }

    /// The bytes that have arrived if these are among them.
    private func blob(through end: Int) -> Blob? {
        let end = min(end, count)
        let present = arrived.withLock { $0 }
        if present.count >= end { return present }
        guard body.progress.completed >= end else { return nil }
        let blob = body.blob
        arrived.withLock { $0 = blob }
        return blob.count >= end ? blob : nil
    }
}
