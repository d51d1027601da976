internal import LazyMedia

/// Media that ends behind its first frame.
struct FirstFrameMedia: OpenedMedia {
    let base: any OpenedMedia

    var info: MediaInfo {
        var info = base.info
        info.frameCount = 1
        info.loop = .still
        return info
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        FrameIndex(Array(try base.frameIndex(cancellation).timings.prefix(1)))
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        FirstFrameReader(try base.makeReader(options))
    }
}

private final class FirstFrameReader: FrameReader {
    private let base: any FrameReader
    private var isAtEnd = false

    init(_ base: any FrameReader) { self.base = base }

    var warnings: [MediaWarning] { base.warnings }

    func nextFrame() throws(MediaError) -> Frame? {
        guard !isAtEnd else { return nil }
        isAtEnd = true
        return try base.nextFrame()
    }

    func seek(toIndex index: Int) throws(MediaError) {
        isAtEnd = index > 0
        try base.seek(toIndex: 0)
    }

    func seek(toTime time: Duration) throws(MediaError) { try seek(toIndex: 0) }
}
