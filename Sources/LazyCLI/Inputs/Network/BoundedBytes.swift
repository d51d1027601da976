package import LazyBase
internal import LazyLoading
package import LazyMedia
package import LazyPipeline

/// Remote bytes with a limit on how many are loaded, whatever their total size.
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

    package func willRead(_ range: Range<Int>) {
        // What is fetched together must not use up what other reads may need.
        if range.count <= most - media.bytesRead() { media.bytes.willRead(range) }
    }

    package func cancelReads() { media.bytes.cancelReads() }

    package func contiguous() throws(MediaError) -> MemoryBytes {
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
