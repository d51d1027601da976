internal import LazyMedia

/// Media that tells how many of its frames a reader has handed out.
struct WatchedMedia: OpenedMedia {
    let base: any OpenedMedia
    let didRead: @Sendable (Int) -> Void

    var info: MediaInfo { base.info }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.frameIndex(cancellation)
    }

    func outline(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.outline(cancellation)
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        WatchedReader(try base.makeReader(options), didRead)
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try base.embeddedPoster(options)
    }
}

private final class WatchedReader: FrameReader {
    private let base: any FrameReader
    private let didRead: @Sendable (Int) -> Void
    private var count = 0

    init(_ base: any FrameReader, _ didRead: @escaping @Sendable (Int) -> Void) {
        self.base = base
        self.didRead = didRead
    }

    var warnings: [MediaWarning] { base.warnings }

    func nextFrame() throws(MediaError) -> Frame? {
        guard let frame = try base.nextFrame() else { return nil }
        count += 1
        didRead(count)
        return frame
    }

    func seek(toIndex index: Int) throws(MediaError) { try base.seek(toIndex: index) }

    func seek(toTime time: Duration) throws(MediaError) { try base.seek(toTime: time) }
}
