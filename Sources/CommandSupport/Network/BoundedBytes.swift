package import LazyBytes
internal import LazyLoading
package import LazyMedia
package import LazyPipeline

/// Remote bytes of which only so many may be loaded, however large the whole is.
package final class BoundedBytes: ByteSource {
    private let media: RemoteMedia
    private let most: Int

    package init(_ media: RemoteMedia, most: Int) {
        self.media = media
        self.most = most
    }

    package var count: Int { media.bytes.count }
    package var isRemote: Bool { media.bytes.isRemote }
    package var isPartial: Bool { media.bytes.isPartial }

    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        try check()
        return try media.bytes.read(at: offset, into: buffer)
    }

    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) throws(MediaError) -> Int {
        try check()
        return try media.bytes.read(at: offset, into: buffer, cancellation: cancellation)
    }

    package func cancelReads() { media.bytes.cancelReads() }

    package func contiguous() throws(MediaError) -> MemoryBytes {
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
