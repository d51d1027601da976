internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

/// Remote bytes of which only so many may be loaded, however large the whole is.
final class BoundedBytes: ByteSource {
    private let media: RemoteMedia
    private let most: Int

    init(_ media: RemoteMedia, most: Int) {
        self.media = media
        self.most = most
    }

    var count: Int { media.bytes.count }
    var isRemote: Bool { media.bytes.isRemote }
    var isPartial: Bool { media.bytes.isPartial }

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

    func cancelReads() { media.bytes.cancelReads() }

    func contiguous() throws(MediaError) -> MemoryBytes {
        if count > most { throw tooLarge }
        return try media.bytes.contiguous()
    }

    // What is being fetched is not known beforehand; what goes beyond is the last that is.
    private func check() throws(MediaError) {
        if media.bytesRead() > most { throw tooLarge }
    }

    private var tooLarge: MediaError {
        let error = LoadingError(.tooLarge, "It takes more than \(most) bytes of \(count).")
        return MediaError(.environment, error.message, underlying: error)
    }
}
