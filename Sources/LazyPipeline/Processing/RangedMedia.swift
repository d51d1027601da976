internal import LazyMedia

/// The frames of a part of one play, counted and timed from its first one.
///
/// The part begins with the frame that is shown at its beginning.
struct RangedMedia: OpenedMedia {
    let info: MediaInfo
    private let base: any OpenedMedia
    private let first: Int
    private let index: FrameIndex

    /// Finds the part; blocks while the container is walked.
    ///
    /// Throws `.notFound` where it is empty.
    init(
        _ base: any OpenedMedia, _ times: Range<Duration>, _ flag: CancellationFlag
    ) throws(MediaError) {
        let whole = try base.frameIndex(flag)
        // A still has no length: it is there at the beginning.
        let isThere = times.lowerBound < max(whole.duration, .nanoseconds(1))
        guard isThere, let first = whole.frame(at: times.lowerBound) else {
            throw MediaError(.notFound, "The sequence has no frame in the part asked for.")
        }
        let part = whole.timings[first...].prefix {
            $0.index == first || $0.presentation.duration < times.upperBound
        }
        self.base = base
        self.first = first
        index = FrameIndex(part.map { $0.moved(from: whole.timings[first]) })
        var info = base.info
        info.frameCount = index.count
        info.duration = index.duration
        self.info = info
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex { index }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        RangedReader(try base.makeReader(options), first: first, index: index)
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try base.embeddedPoster(options)
    }
}

extension FrameTiming {
    fileprivate func moved(from first: FrameTiming) -> FrameTiming {
        let start = first.presentation
        let moment =
            presentation - start
        return FrameTiming(
            index: index - first.index, presentation: moment, duration: duration,
            rawDuration: rawDuration, isKeyframe: isKeyframe)
    }
}

private final class RangedReader: FrameReader {
    private let base: any FrameReader
    private let first: Int
    private let index: FrameIndex
    private var isAtStart = true
    private var isAtEnd = false

    init(_ base: any FrameReader, first: Int, index: FrameIndex) {
        self.base = base
        self.first = first
        self.index = index
    }

    var warnings: [MediaWarning] { base.warnings }

    func nextFrame() throws(MediaError) -> Frame? {
        if isAtStart, first > 0 { try base.seek(toIndex: first) }
        isAtStart = false
        guard !isAtEnd, let frame = try base.nextFrame() else { return nil }
        let place = frame.index - first
        // A reader of keyframes alone may begin before the part.
        guard index.timings.indices.contains(place) else {
            if place < 0 { return try nextFrame() }
            isAtEnd = true
            return nil
        }
        return Frame(bitmap: frame.bitmap, timing: index.timings[place])
    }

    func seek(toIndex index: Int) throws(MediaError) {
        isAtStart = false
        isAtEnd = index >= self.index.count
        if !isAtEnd { try base.seek(toIndex: first + max(0, index)) }
    }

    func seek(toTime time: Duration) throws(MediaError) {
        try seek(toIndex: index.frame(at: time) ?? 0)
    }
}
