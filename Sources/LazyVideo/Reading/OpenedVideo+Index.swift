internal import LazyMedia

/// Building the index: from packets, from tables or by decoding.
extension OpenedVideo {
    /// The index, from packets that are reliable, else from decoding; kept.
    ///
    /// An estimate is enough for callers that verify the time of the decoded picture. `unread` is a
    /// demuxer from which nothing has been read, if there is one.
    func packetIndex(
        _ cancellation: CancellationFlag, acceptsEstimate: Bool = false, unread: Demuxer? = nil
    ) throws(MediaError) -> PacketIndex {
        let state = self.state.withLock { $0 }
        if let kept = state.index { return kept }
        // Over a network the tables are trusted until a picture contradicts them.
        if acceptsEstimate || bytes.isRemote, !state.packetsAreWrong {
            if let estimate = state.estimate { return estimate }
            if let index = try tableIndex(unread, cancellation) { return index }
        }
        let indexer = try PacketIndexer.walk(makeSource(cancellation), stream, limits)
        keep(indexer.findings)
        let keys = indexer.keys
        if !state.packetsAreWrong || stream.isStill, var index = indexer.finish(),
            state.reading.map({ $0 == TimesSum(index) }) ?? true
        {
            complete(&index)
            if stream.container.hasExactTimes || stream.isStill {
                self.state.withLock { [index] in $0.index = index }
                return index
            }
            self.state.withLock { [index] in $0.estimate = index }
            if acceptsEstimate { return index }
        }
        return try exactIndex(keys: keys, cancellation)
    }

    /// Adds what the header and the first packets tell.
    func complete(_ index: inout PacketIndex) {
        index.declared = stream.declared
        index.end = stream.end
        index.zero = stream.zero
    }

    /// The ticks from which times are counted; decodes the first frame where no index is known.
    func origin(_ cancellation: CancellationFlag) throws(MediaError) -> Int64 {
        let known = state.withLock { ($0.index ?? $0.estimate)?.origin }
        if let known { return known }
        let first = try makePictures(threads: 1, cancellation).next()?.ticks ?? 0
        return PacketIndex.origin(stream.zero, first: first)
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
        complete(&index)
        if let keys {
            index.keys = keys
        } else {
            index.keys = try PacketIndexer.walk(makeSource(cancellation), stream, limits).keys
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
        keep(pictures.findings)
        let isOrdered = zip(index.frames, index.frames.dropFirst()).allSatisfy {
            $0.ticks < $1.ticks
        }
        // Concealed parts depend on what was decoded before: no seeking then.
        let isSeekableCodec = PacketIndexer.seekableCodecs.contains(stream.codec)
        if !isSeekableCodec || !isOrdered || pictures.damage.count > 0 { index.isSeekable = false }
        state.withLock { [index] in $0.index = index }
        return index
    }

    /// Keeps what was found, as a part of the description; what decoding found replaces what the packets told.
    func keep(_ findings: PacketFindings) {
        guard !stream.isStill else { return }
        state.withLock { $0.findings = findings }
    }

    /// Compares a complete reading with the index and drops the index if they differ.
    func didRead(_ times: TimesSum, _ findings: PacketFindings) {
        let isDamaged = findings.corruptCount > 0
        state.withLock { state in
            state.reading = times
            if state.findings != nil { state.findings = findings }
            if isDamaged { state.packetsAreWrong = true }
            guard let index = state.index, !index.isExact else { return }
            if isDamaged || TimesSum(index) != times { state.index = nil }
        }
    }

    /// The index from the container's tables, without the packets' bytes, or nil.
    private func tableIndex(
        _ unread: Demuxer?, _ cancellation: CancellationFlag
    ) throws(MediaError) -> PacketIndex? {
        guard stream.hasReliableTables, let movie = bytes as? MovieBytes,
            !state.withLock({ $0.tablesAreWrong })
        else { return nil }
        var listed = trimmed.flatMap { $0.packets.parts == nil ? $0.packets : nil }
        // The first packet of remote bytes would be fetched.
        if listed == nil, let unread, !movie.isRemote { listed = try unread.list(movie) }
        var index = listed.flatMap { listedIndex($0) }
        if index == nil {
            let demuxer = try Demuxer(
                movie.headersOnly, format: "mov", isParsing: false, limits: limits,
                cancellation: cancellation)
            guard demuxer.streams.indices.contains(stream.index) else { return nil }
            demuxer.choose(stream.index)
            index = try demuxer.list(movie).flatMap { listedIndex($0) }
            if index == nil {
                index = try PacketIndexer.walk(demuxer, stream, limits, isFromTables: true)
                    .finish()
            }
        }
        guard var index else { return nil }
        complete(&index)
        state.withLock { [index] in $0.estimate = index }
        return index
    }

    /// The index from the tables of a movie, without reading its packets.
    private func listedIndex(_ packets: PacketListing) -> PacketIndex? {
        PacketIndexer.index(packets, of: stream.codec, isReordering: stream.isReordering)
    }

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
}

extension PacketIndexer {
    /// Adds all packets of a source.
    static func walk(
        _ source: any PacketSource, _ stream: VideoStream, _ limits: DecodingLimits,
        isFromTables: Bool = false
    ) throws(MediaError) -> PacketIndexer {
        let demuxer = source as? Demuxer
        var indexer = PacketIndexer(
            stream.codec, isReordering: stream.isReordering,
            extradata: demuxer?.extradata ?? .init(start: nil, count: 0),
            isFromTables: isFromTables, isTimed: stream.container.isTimed)
        let packet = try Packet()
        while try source.read(into: packet) {
            indexer.add(packet, isShifted: demuxer?.hasJumpingClock == true)
            try limits.check(entries: indexer.frameCount)
        }
        (indexer.findings.damage, indexer.findings.hasJumped) = (
            source.damage, source.hasJumpingClock
        )
        return indexer
    }
}
