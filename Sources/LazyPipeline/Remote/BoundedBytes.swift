internal import LazyBase
internal import LazyLoading
internal import LazyMedia

/// Remote bytes with a limit on how many are loaded, whatever their total size.
final class BoundedBytes: RangedBytes {
    private let media: RemoteMedia
    private let most: Int

    init(_ media: RemoteMedia, most: Int) {
        self.media = media
        self.most = most
    }

    var count: Int { media.bytes.count }
    var isRemote: Bool { media.bytes.isRemote }
    var isPartial: Bool { media.bytes.isPartial }
    var fetchesRanges: Bool { media.bytes.hasReachableEnd }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        try check()
        return try media.bytes.read(at: offset, into: buffer)
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int {
        try check()
        return try media.bytes.read(at: offset, into: buffer, cancellation: cancellation)
    }

    func willRead(_ range: Range<Int>) {
        // What is fetched together must not use up what other reads may need.
        if range.count <= most - media.bytesRead() { media.bytes.willRead(range) }
    }

    func cancelReads() { media.bytes.cancelReads() }

    func contiguous() throws(MediaError) -> MemoryBytes {
        if count > most { throw tooLarge }
        return try media.bytes.contiguous()
    }

    // The size of a fetch is unknown before it; the fetch over the limit is the last one.
    private func check() throws(MediaError) {
        if media.bytesRead() > most { throw tooLarge }
    }

    private var tooLarge: MediaError {
        let error = LoadingError(.tooLarge, "More than \(most) bytes of \(count) are needed.")
        return MediaError(.environment, error.message, underlying: error)
    }
}
