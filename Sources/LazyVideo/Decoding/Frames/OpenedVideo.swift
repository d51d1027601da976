internal import CFFmpeg
internal import LazyMedia

/// A file whose header has been read; its index is built on the first request and kept.
final class OpenedVideo: OpenedMedia {
    /// Unchecked: the demuxer is unused here, and moves to the one reader that takes it.
    private struct Spare: @unchecked Sendable {
        let demuxer: Demuxer
    }

    private struct State {
        var spare: Spare?
        var index: PacketIndex?
        // The index from packets or tables, where decoding may differ.
        var estimate: PacketIndex?
        var tablesAreWrong = false
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
            throw MediaError(.malformed, "The video stream is no longer in the file.")
        }
        demuxer.choose(stream.index)
        return demuxer
    }

    /// The index, from packets that are reliable, else from decoding; kept.
    ///
    /// An estimate is enough for callers that verify the time of the decoded picture.
    func packetIndex(
        _ cancellation: CancellationFlag, acceptsEstimate: Bool = false
    ) throws(MediaError) -> PacketIndex {
        let state = self.state.withLock { $0 }
        if let kept = state.index { return kept }
        // Over a network the tables are trusted until a picture contradicts them.
        if acceptsEstimate || bytes.isRemote, !state.packetsAreWrong {
            if let estimate = state.estimate { return estimate }
            if let index = try tableIndex(cancellation) { return index }
        }
        let indexer = try walk(makeSource(cancellation))
        let keys = indexer.keys
        if !state.packetsAreWrong || stream.isStill, var index = indexer.finish(),
            state.reading.map({ $0 == TimesSum(index) }) ?? true
        {
            index.declared = stream.declared
            if stream.container.hasExactTimes || stream.isStill {
                self.state.withLock { [index] in $0.index = index }
                return index
            }
            self.state.withLock { [index] in $0.estimate = index }
            if acceptsEstimate { return index }
        }
        return try exactIndex(keys: keys, cancellation)
    }

    /// The index, if it is known and identifies each picture by its time.
    var skippingIndex: PacketIndex? {
        state.withLock { $0.index.flatMap { $0.isSeekable && !$0.isFromTables ? $0 : nil } }
    }

    /// The first packet, if it is known that the first frame is its picture.
    var firstEntry: PacketIndex.Entry? {
        let (index, estimate) = state.withLock { ($0.index, $0.estimate) }
        guard let index = index ?? estimate, index.isSeekable, let entry = index.keys.first,
            entry.number == 0, entry.pts == index.frames.first?.ticks
        else { return nil }
        return entry
    }

    /// The index from decoding everything, without conversion; replaces the other.
    func exactIndex(
        keys: [PacketIndex.Entry]? = nil, _ cancellation: CancellationFlag
    ) throws(MediaError) -> PacketIndex {
        var index = PacketIndex()
        index.declared = stream.declared
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
        // Concealed parts depend on what was decoded before: no seeking then.
        let isJumpable = PacketIndexer.jumpable.contains(stream.codec)
        if !isJumpable || !isOrdered || pictures.damagedCount > 0 { index.isSeekable = false }
        state.withLock { [index] in $0.index = index }
        return index
    }

    /// Compares a complete reading with the index and drops the index if they differ.
    func didRead(_ times: TimesSum, isDamaged: Bool) {
        state.withLock { state in
            state.reading = times
            if isDamaged { state.packetsAreWrong = true }
            guard let index = state.index, !index.isExact else { return }
            if isDamaged || TimesSum(index) != times { state.index = nil }
        }
    }

    private func walk(
        _ source: any PacketSource, isFromTables: Bool = false
    ) throws(MediaError) -> PacketIndexer {
        var indexer = PacketIndexer(
            stream.codec, isReordering: stream.isReordering,
            extradata: (source as? Demuxer)?.extradata ?? .init(start: nil, count: 0),
            isFromTables: isFromTables)
        let packet = try Packet()
        while try source.read(into: packet) {
            indexer.add(packet)
            try limits.check(entries: indexer.frameCount)
        }
        return indexer
    }

    /// The index from the container's tables, without the packets' bytes, or nil.
    private func tableIndex(_ cancellation: CancellationFlag) throws(MediaError) -> PacketIndex? {
        guard stream.hasReliableTables, let movie = bytes as? MovieBytes,
            !state.withLock({ $0.tablesAreWrong })
        else { return nil }
        let demuxer = try Demuxer(
            movie.headersOnly, format: "mov", isParsing: false, limits: limits,
            cancellation: cancellation)
        guard demuxer.streams.indices.contains(stream.index) else { return nil }
        demuxer.choose(stream.index)
        guard var index = try walk(demuxer, isFromTables: true).finish() else { return nil }
        index.declared = stream.declared
        state.withLock { [index] in $0.estimate = index }
        return index
    }

    /// Whether to seek by the container's list of keyframes, because reading packets is expensive.
    var canSeekByCues: Bool {
        bytes.isRemote && stream.container.kind == .demuxer("matroska")
            && PacketIndexer.jumpable.contains(stream.codec)
            && state.withLock { $0.index == nil && !$0.packetsAreWrong }
    }

    /// Whether these are the first bytes of a file that is still arriving.
    var isPartial: Bool { bytes.isPartial && !stream.isStill }

    /// Records that pictures contradict the tables.
    func didFindTablesWrong() {
        state.withLock { state in
            state.tablesAreWrong = true
            if state.estimate?.isFromTables == true { state.estimate = nil }
        }
    }

    /// The packet to start with so that the frame at `ticks` comes out as in a sequential read.
    ///
    /// For an index from tables the packets are read to verify what the tables say.
    func entry(
        for ticks: Int64, _ packets: PacketIndex
    ) throws(MediaError) -> PacketIndex.Entry? {
        guard packets.isFromTables, let units = stream.units else {
            return packets.entry(for: ticks)
        }
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
