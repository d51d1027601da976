internal import LazyMedia

/// A movie of which FFmpeg reads the beginning of the tables only.
struct TrimmedMovie: Sendable {
    /// What FFmpeg reads.
    let bytes: MovieBytes
    /// The packets of the chosen stream.
    let packets: PacketListing
}

/// A file whose header has been read; its index is built on the first request and kept.
final class OpenedVideo: OpenedMedia {
    /// Unchecked: the demuxer is unused here, and moves to the one reader that takes it.
    struct Spare: @unchecked Sendable {
        let demuxer: Demuxer
    }

    struct State {
        var spare: Spare?
        var index: PacketIndex?
        // The index from packets or tables, where decoding may differ.
        var estimate: PacketIndex?
        var tablesAreWrong = false
        var packetsAreWrong = false
        // The length by the last packets, where reading all of them is expensive.
        var length: Duration?
        var reading: TimesSum?
        // What its packets tell; nil before they are read.
        var findings: PacketFindings?
    }

    let bytes: any ByteSource
    let header: MediaInfo
    let limits: DecodingLimits
    private let coverArt: CoverArt?
    /// The same file with shortened tables, and the complete ones, if it was opened so.
    let trimmed: TrimmedMovie?
    let state: Locked<State>
    /// The chosen stream.
    let stream: VideoStream

    init(
        _ bytes: any ByteSource, _ stream: VideoStream, _ info: MediaInfo, _ limits: DecodingLimits,
        spare: Demuxer?, coverArt: CoverArt?, trimmed: TrimmedMovie? = nil
    ) {
        self.bytes = bytes
        self.stream = stream
        self.limits = limits
        self.coverArt = coverArt
        self.trimmed = trimmed
        header = info
        state = Locked(State(spare: spare.map { Spare(demuxer: $0) }))
    }

    /// Keeps an index of packets that were read already.
    func keep(_ indexer: consuming PacketIndexer) {
        keep(indexer.findings)
        guard var index = indexer.finish() else { return }
        complete(&index)
        state.withLock { [index] in $0.estimate = index }
    }

    /// What the header says, and the number of frames once they are counted.
    var info: MediaInfo {
        var info = header
        let (index, estimate, length) = state.withLock { ($0.index, $0.estimate, $0.length) }
        let found = state.withLock { $0.findings }?.warnings ?? []
        info.warnings += found.filter { !header.warnings.contains($0) }
        if let index {
            info.count(index.frameIndex(stream.timeBase))
        } else if header.frameCount == nil, stream.ends == nil {
            // Where the header counts no frames, its length is seldom measured either.
            if let length { info.duration = length }
            if let estimate { info.measure(estimate.frameIndex(stream.timeBase)) }
        }
        if let told = stream.bitRateLength, isWrong(told, about: info.duration) {
            info.bitRate = bytes.bitRate(for: info.duration) ?? info.bitRate
        }
        return info
    }

    /// Whether a length is not about that of the frames; sound may end a little later.
    private func isWrong(_ told: Duration, about length: Duration?) -> Bool {
        guard let length, length > .zero else { return false }
        return told > length * 1.1 || told < length * 0.9
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
        guard canSeekByCues else { return try containerIndex(cancellation) }
        if stream.ends == nil { try measureLength(cancellation) }
        return nil
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try VideoFrameReader(self, options)
    }

    /// Whether to seek by times in the container, because reading packets is expensive.
    var canSeekByCues: Bool {
        let isFarAway =
            bytes.isRemote && stream.container.kind == .demuxer("matroska") && !stream.isJoined
        return (isFarAway || stream.ends != nil)
            && PacketIndexer.seekableCodecs.contains(stream.codec)
            && state.withLock {
                $0.index == nil && !$0.packetsAreWrong && (isFarAway || $0.estimate == nil)
            }
    }

    /// Whether these are the first bytes of a file that is still arriving, whose rest is not waited for.
    var isPartial: Bool { bytes.isPartial && bytes.arrived == nil && !stream.isStill }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try coverArt?.bitmap(options)
    }
}
