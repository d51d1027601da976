internal import CFFmpeg
internal import LazyMedia

/// A file whose header has been read; its index is built once, when it is asked for.
final class OpenedVideo: OpenedMedia {
    /// Unchecked: a demuxer stands here unused, and leaves with the one reader that takes it.
    private struct Spare: @unchecked Sendable {
        let demuxer: Demuxer
    }

    private struct State {
        var spare: Spare?
        var index: PacketIndex?
        // What packets say where that is not certain.
        var guess: PacketIndex?
        var sketchIsWrong = false
        var packetsAreWrong = false
        var reading: TimesSum?
    }

    private let bytes: any ByteSource
    private let header: MediaInfo
    private let limits: DecodingLimits
    private let coverArt: CoverArt?
    private let state: Locked<State>
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

    /// What the header told, and the number of frames once they are counted.
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
        try packetIndex(cancellation, isGuessEnough: true).frameIndex(stream.timeBase)
    }

    func cheapFrameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex? {
        canSeekByCues ? nil : try containerIndex(cancellation)
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try VideoFrameReader(self, options)
    }

    /// A decoder that stands before the first picture.
    ///
    /// `canvas` are the bytes of memory that the caller's frames take beside it.
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

    private func makeSource(_ cancellation: CancellationFlag) throws(MediaError) -> any PacketSource
    {
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
            throw MediaError(.malformed, "The video stream is not in the file any more.")
        }
        demuxer.choose(stream.index)
        return demuxer
    }

    /// The index, from the packets where they can be trusted, else from decoding; kept.
    ///
    /// A guess is enough for one who will look at the time of the picture that comes out.
    func packetIndex(
        _ cancellation: CancellationFlag, isGuessEnough: Bool = false
    ) throws(MediaError) -> PacketIndex {
        let state = self.state.withLock { $0 }
        if let kept = state.index { return kept }
        // Where bytes come over a network, tables are believed until a picture contradicts them.
        if isGuessEnough || bytes.isRemote, !state.packetsAreWrong {
            if let guess = state.guess { return guess }
            if let sketch = try sketch(cancellation) { return sketch }
        }
        let indexer = try walk(makeSource(cancellation))
        let keys = indexer.keys
        if !state.packetsAreWrong || stream.isStill, var index = indexer.finish(),
            state.reading.map({ $0 == TimesSum(index) }) ?? true
        {
            index.told = stream.told
            if stream.container.hasExactTimes || stream.isStill {
                self.state.withLock { [index] in $0.index = index }
                return index
            }
            self.state.withLock { [index] in $0.guess = index }
            if isGuessEnough { return index }
        }
        return try exactIndex(keys: keys, cancellation)
    }

    /// The index, where it is known already and tells each picture by its time.
    var skippingIndex: PacketIndex? {
        state.withLock { $0.index.flatMap { $0.isSeekable && !$0.isSketch ? $0 : nil } }
    }

    /// The first packet, where it is known already that the first frame is its picture.
    var firstEntry: PacketIndex.Entry? {
        let (index, guess) = state.withLock { ($0.index, $0.guess) }
        guard let index = index ?? guess, index.isSeekable, let entry = index.keys.first,
            entry.number == 0, entry.pts == index.frames.first?.ticks
        else { return nil }
        return entry
    }

    /// The index that decoding everything gives, without conversion; kept in place of the other.
    func exactIndex(
        keys: [PacketIndex.Entry]? = nil, _ cancellation: CancellationFlag
    ) throws(MediaError) -> PacketIndex {
        var index = PacketIndex()
        index.told = stream.told
        if let keys {
            index.keys = keys
        } else {
            index.keys = try walk(makeSource(cancellation)).keys
        }
        let pictures = try makePictures(threads: BlockingPool.coreCount, cancellation)
        var budget = DecodingBudget(limits)
        let clock = ContinuousClock()
        var start = clock.now
        while let picture = try pictures.next() {
            index.frames.append(
                .init(ticks: picture.ticks, duration: picture.duration, isKey: picture.isKey))
            if picture.pts == nil { index.isSeekable = false }
            try limits.check(entries: index.frames.count)
            try budget.spend(time: clock.now - start)
            start = clock.now
        }
        index.isExact = true
        let isOrdered = zip(index.frames, index.frames.dropFirst()).allSatisfy {
            $0.ticks < $1.ticks
        }
        // Where something was made up, it depends on what was decoded before: no jumps then.
        let isJumpable = PacketIndexer.jumpable.contains(stream.codec)
        if !isJumpable || !isOrdered || pictures.damagedCount > 0 { index.isSeekable = false }
        state.withLock { [index] in $0.index = index }
        return index
    }

    /// Takes note of a whole reading: where it differs from what packets promise, these are wrong.
    func didRead(_ times: TimesSum, isDamaged: Bool) {
        state.withLock { state in
            state.reading = times
            if isDamaged { state.packetsAreWrong = true }
            guard let index = state.index, !index.isExact else { return }
            if isDamaged || TimesSum(index) != times { state.index = nil }
        }
    }

    private func walk(
        _ source: any PacketSource, isSketch: Bool = false
    ) throws(MediaError) -> PacketIndexer {
        var indexer = PacketIndexer(
            stream.codec, isReordering: stream.isReordering,
            extradata: (source as? Demuxer)?.extradata ?? .init(start: nil, count: 0),
            isSketch: isSketch)
        let packet = try Packet()
        while try source.read(into: packet) {
            indexer.add(packet)
            try limits.check(entries: indexer.frameCount)
        }
        return indexer
    }

    /// The index as the container's tables tell it, without the packets' bytes, or nil.
    private func sketch(_ cancellation: CancellationFlag) throws(MediaError) -> PacketIndex? {
        guard stream.canBeSketched, let movie = bytes as? MovieBytes,
            !state.withLock({ $0.sketchIsWrong })
        else { return nil }
        let demuxer = try Demuxer(
            movie.hollow, format: "mov", isParsing: false, limits: limits,
            cancellation: cancellation)
        guard demuxer.streams.indices.contains(stream.index) else { return nil }
        demuxer.choose(stream.index)
        guard var index = try walk(demuxer, isSketch: true).finish() else { return nil }
        index.told = stream.told
        state.withLock { [index] in $0.guess = index }
        return index
    }

    /// Whether the container's own list of keyframes is to be used: packets are costly to read.
    var canSeekByCues: Bool {
        bytes.isRemote && stream.container.kind == .demuxer("matroska")
            && PacketIndexer.jumpable.contains(stream.codec)
            && state.withLock { $0.index == nil && !$0.packetsAreWrong }
    }

    /// Whether these are the first bytes of a clip whose others are still on their way.
    var isPartial: Bool { bytes.isPartial && !stream.isStill }

    /// Takes note that the tables promised what the pictures do not keep.
    func didFindSketchWrong() {
        state.withLock { state in
            state.sketchIsWrong = true
            if state.guess?.isSketch == true { state.guess = nil }
        }
    }

    /// The packet to begin with so that the frame at `ticks` comes out as in a sequential read.
    ///
    /// For a sketch the packets themselves are asked whether they are what the tables say.
    func entry(
        for ticks: Int64, _ packets: PacketIndex
    ) throws(MediaError) -> PacketIndex.Entry? {
        guard packets.isSketch, let units = stream.units else { return packets.entry(for: ticks) }
        var isRecovered = false
        for entry in packets.keys[..<packets.keyCount(upTo: ticks)].suffix(4).reversed() {
            switch try start(of: entry, units) {
            case .clean: return entry
            case .recovery where isRecovered || entry.number == 0: return entry
            case .recovery: isRecovered = true
            case .none: return nil
            }
        }
        return nil
    }

    private func start(
        of entry: PacketIndex.Entry, _ units: NALLayout
    ) throws(MediaError) -> NALLayout.Start {
        guard let position = entry.position else { return .none }
        let head = try bytes.bytes(min(entry.size, 1 << 16), at: position)
        return head.withUnsafeBufferPointer { units.start($0) }
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try coverArt?.bitmap(options)
    }
}
