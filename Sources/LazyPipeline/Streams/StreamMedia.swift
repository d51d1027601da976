internal import LazyBase
internal import LazyEditing
internal import LazyLoading
internal import LazyMedia

/// The media of a stream, of which as few segments are loaded as its use needs.
///
/// A frame at a time costs the segment that shows it; keyframes at several times one segment each. What needs every
/// frame, such as an index, sound or reading from the first frame to the last, loads all segments once.
struct StreamMedia: OpenedMedia, MediaBeside {
    private let header: MediaInfo
    private let parts: StreamParts
    /// The segment whose header is the stream's.
    private let headerPlace: Int
    /// The stream by estimated times of its frames, where not all segments are to be loaded.
    private var estimate: JoinedMedia?

    /// Opens a segment for its header, and where the playlist cannot tell how long all is, the last one.
    ///
    /// With a time of a poster no more is opened than that needs.
    init(
        _ kind: StreamKind, _ parts: StreamParts, at place: Int, isForTime: Bool,
        _ flag: CancellationFlag
    ) throws(MediaError) {
        let first = try parts.part(near: place, flag, spending: parts.time)
        var info = first.media.info
        info.type = kind.type
        info.duration = try isForTime ? parts.playlist.duration : parts.duration(flag)
        info.frameCount = nil
        info.bitRate = nil
        info.loop = .video
        if parts.playlist.count == 1 {
            info.frameCount = first.index.count
            info.duration = first.index.duration - first.origin.duration
        }
        header = info
        self.parts = parts
        headerPlace = first.place
        // A poster needs one.
        if !isForTime { try parts.lookForFiles(flag) }
    }

    var info: MediaInfo {
        var info = header
        info.warnings += parts.warnings
        return info
    }

    var bytesRead: Int { parts.segments.bytesRead }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        if let estimate { return estimate.frameIndex(cancellation) }
        let whole = try parts.whole(cancellation)
        return try parts.time.opening(cancellation) { (_, flag) throws(MediaError) in
            try whole.frameIndex(flag)
        }
    }

    func containerIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        if let estimate { return estimate.frameIndex(cancellation) }
        let whole = try parts.whole(cancellation)
        return try parts.time.opening(cancellation) { (_, flag) throws(MediaError) in
            try whole.containerIndex(flag)
        }
    }

    /// The index where all segments are loaded already.
    func cheapFrameIndex(
        _ cancellation: CancellationFlag
    ) throws(MediaError) -> FrameIndex? {
        try parts.opened?.cheapFrameIndex(cancellation)
    }

    func time(ofLast number: Int, _ flag: CancellationFlag) throws(MediaError) -> Duration? {
        guard estimate == nil, parts.opened == nil else { return nil }
        let last = try parts.part(
            near: parts.playlist.count - 1, flag, spending: parts.time)
        guard number <= last.index.count else { return nil }
        let own = last.index[last.index.count - number].presentation - last.origin
        return (try parts.start(of: last, flag, spending: parts.time) + own).duration
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        if estimate == nil, let whole = parts.opened {
            let reader = try whole.makeReader(options)
            return parts.warnings.isEmpty ? reader : StreamReader(parts, options, whole: reader)
        }
        if let estimate, !options.keyframesOnly {
            return try estimate.makeReader(options)
        }
        return StreamReader(parts, options)
    }

    func soundTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> (any SoundTrack)? {
        guard info.streams.contains(where: { $0.kind == .audio }) else { return nil }
        return try parts.whole(cancellation).soundTrack(choice, cancellation)
    }

    func subtitleTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> SubtitleTrack {
        try parts.whole(cancellation).subtitleTrack(choice, cancellation)
    }

    func openBeside(
        as type: MediaType, _ cancellation: CancellationFlag,
        _ bytes: () throws(MediaError) -> any ByteSource
    ) throws(MediaError) -> (any OpenedMedia)? {
        try parts.part(headerPlace, cancellation, spending: parts.time).media.openedBeside(
            as: type, cancellation, bytes)
    }

    /// The stream for a use that needs some of its frames: their times are estimated, and segments without
    /// such a frame are not loaded.
    ///
    /// The times are those of a constant rate, that of one segment. The stream itself where it has few segments.
    func sampled(_ flag: CancellationFlag) throws(MediaError) -> StreamMedia {
        let playlist = parts.playlist
        guard playlist.count > Self.fewSegments, !playlist.isLocal else { return self }
        let part = try parts.part(headerPlace, flag, spending: parts.time)
        let span = part.index.duration - part.origin.duration
        guard span > .zero else { return self }
        let step = span / part.index.count
        let limits = parts.limits
        var pieces: [(JoinedPart, Range<MediaTime>, Int)] = []
        var count = 0
        for place in 0..<playlist.count {
            let start = parts.estimate(of: place)
            let length = max(.zero, parts.estimate(of: place + 1) - start)
            let frames = max(1, Int(min(1e9, (length / step).rounded())))
            count += frames
            try limits.check(frames: count)
            try limits.check(entries: count)
            let joined = JoinedPart("") { [parts] () throws(MediaError) in
                let time = StreamTime(opening: limits)
                return FrameSequence(
                    try parts.part(near: place, flag, spending: time).media, limits: limits)
            }
            pieces.append((joined, MediaTime(start)..<MediaTime(start + length), frames))
        }
        var info = info
        info.frameCount = count
        var sampled = self
        sampled.estimate = JoinedMedia(estimating: pieces, info)
        return sampled
    }

    /// So many segments are loaded for exact times.
    private static let fewSegments = 8
}
