internal import LazyMedia

/// A file whose header has been read; its index is built on the first request and kept.
final class OpenedVideo: OpenedMedia {
    /// Unchecked: the demuxer is unused here, and moves to the one reader that takes it.
    fileprivate struct Spare: @unchecked Sendable {
        let demuxer: Demuxer
    }

    struct State {
        fileprivate var spare: Spare?
        var index: PacketIndex?
        // The index from packets or tables, where decoding may differ.
        var estimate: PacketIndex?
        var tablesAreWrong = false
        var packetsAreWrong = false
        var reading: TimesSum?
    }

    let bytes: any ByteSource
    private let header: MediaInfo
    let limits: DecodingLimits
    private let coverArt: CoverArt?
    let state: Locked<State>
    /// The chosen stream.
    let stream: VideoStream

    init(
        _ bytes: any ByteSource, _ stream: VideoStream, _ info: MediaInfo, _ limits: DecodingLimits,
        spare: Demuxer?, coverArt: CoverArt?
    ) {
        self.bytes = bytes
        self.stream = stream
        self.limits = limits
        self.coverArt = coverArt
        header = info
        state = Locked(State(spare: spare.map { Spare(demuxer: $0) }))
    }

    /// What the header says, and the number of frames once they are counted.
    var info: MediaInfo {
        var info = header
        if let index = state.withLock({ $0.index }) {
            info.frameCount = index.frames.count
            info.duration = index.frameIndex(stream.timeBase).duration
        }
        return info
    }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        let index = try packetIndex(cancellation).frameIndex(stream.timeBase)
        try limits.check(entries: index.count)
        return index
    }

    func containerIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        try packetIndex(cancellation, acceptsEstimate: true).frameIndex(stream.timeBase)
    }

    func cheapFrameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex? {
        canSeekByCues ? nil : try containerIndex(cancellation)
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try VideoFrameReader(self, options)
    }

    /// Makes a decoder positioned before the first picture.
    ///
    /// `canvas` is the memory in bytes of the caller's frames.
    func makePictures(
        threads: Int, canvas: Int = 0, _ cancellation: CancellationFlag
    ) throws(MediaError) -> PictureSource {
        let source = try makeSource(cancellation)
        try limits.check(memory: canvas)
        let (stream, limits) = (stream, limits)
        let threads = stream.threads(threads, of: header.size, within: limits)
        return try PictureSource(source, id: stream.codec, threads: threads) {
            (source, threads) throws(MediaError) in
            try VideoCodec(
                stream.codec, (source as? Demuxer)?.parameters,
                stream.setup(threads: threads, limits: limits, beside: canvas))
        }
    }

    func makeSource(_ cancellation: CancellationFlag) throws(MediaError) -> any PacketSource {
        guard case .demuxer(let name) = stream.container.kind else {
            return StillSource(try bytes.contiguous(within: limits), cancellation: cancellation)
        }
        if let spare = state.withLock({ $0.spare.take() }) {
            spare.demuxer.cancellation = cancellation
            return spare.demuxer
        }
        let demuxer = try Demuxer(
            bytes, format: name, limits: limits, cancellation: cancellation)
        if stream.needsExamining { try demuxer.examine() }
        guard demuxer.streams.indices.contains(stream.index) else {
            throw MediaError(.malformed, "The video stream is no longer in the file.")
        }
        demuxer.choose(stream.index)
        return demuxer
    }

    /// Whether to seek by the container's list of keyframes, because reading packets is expensive.
    var canSeekByCues: Bool {
        bytes.isRemote && stream.container.kind == .demuxer("matroska")
            && PacketIndexer.seekableCodecs.contains(stream.codec)
            && state.withLock { $0.index == nil && !$0.packetsAreWrong }
    }

    /// Whether these are the first bytes of a file that is still arriving.
    var isPartial: Bool { bytes.isPartial && !stream.isStill }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try coverArt?.bitmap(options)
    }
}
