internal import LazyMedia

/// Media that ends after its first frame.
struct FirstFrameMedia: MappedMedia {
    let base: any OpenedMedia

    var info: MediaInfo {
        var info = base.info
        info.frameCount = 1
        info.loop = .still
        return info
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.frameIndex(cancellation).first
    }

    func containerIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try base.containerIndex(cancellation).first
    }

    func cheapFrameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex? {
        try base.cheapFrameIndex(cancellation)?.first
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        FirstFrameReader(base: try base.makeReader(options))
    }

    /// Nil: a picture has no sound.
    func soundTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) -> (any SoundTrack)? { nil }
}

extension FrameIndex {
    /// The index of the first frame alone.
    fileprivate var first: FrameIndex { FrameIndex(Array(timings.prefix(1))) }
}

private final class FirstFrameReader: MappedReader {
    let base: any FrameReader
    private var isAtEnd = false

    init(base: any FrameReader) { self.base = base }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        guard !isAtEnd else { return nil }
        isAtEnd = true
        return try base.nextFrame(where: isWanted)
    }

    func seek(toIndex index: Int) throws(MediaError) {
        isAtEnd = index > 0
        try base.seek(toIndex: 0)
    }

    func seek(toTime time: Duration) throws(MediaError) { try seek(toIndex: 0) }

    func willRead(_ indices: [Int]) {}
}
