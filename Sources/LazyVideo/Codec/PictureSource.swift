internal import CFFmpeg
internal import LazyMedia

/// Decodes one stream: reads packets and returns pictures in order of presentation.
///
/// Damage is skipped or concealed as the `ffmpeg` command does, and counted. From its first damage on a stream is decoded
/// in a way that gives the same pictures each time (`PictureSource+Steady`).
final class PictureSource {
    /// The most consecutive packets without a picture; a stream with more never yields one.
    private static let maxPacketsWithoutPicture = 20_000

    private enum Phase {
        case reading
        /// The decoder gets no more packets, and returns the pictures that it holds.
        case draining
        case atEnd
        /// At the end because one packet was decoded in isolation.
        case exhausted
    }

    let source: any PacketSource
    let codecID: AVCodecID
    let packet: Packet
    /// Which pictures are decoded, as the reader needs them.
    var selection = PictureSelection()
    private(set) var damage = DecodingDamage()
    /// The number of packets read since the start, where it is known.
    private(set) var packetNumber = 0
    /// Whether packets are found again by seeking, instead of reading from the start.
    var canSeek = false
    /// What is decoded since the last seek.
    var run = DecodingRun()
    var codec: RenewableCodec
    /// Whether pictures are decoded again that were returned before.
    var isCatchingUp = false
    private var skipping: PacketSkipping
    private let start: Int64
    private var labels: PictureLabels
    private var sequences = SequenceChanges()
    private var phase = Phase.reading
    private var packetsWithoutPicture = 0
    // What the packet in the decoder is known by.
    private var inside = DecodingDamage.PacketName.number(0)
    private let keys: CleanKeys

    /// Makes a source of pictures; the first one is shown at `start`, in ticks, where nothing tells.
    init(
        _ source: any PacketSource, id: AVCodecID, from start: Int64 = 0, threads: Int,
        decodesAll: Bool = true,
        openCodec: @escaping RenewableCodec.Opening
    ) throws(MediaError) {
        self.source = source
        self.start = start
        labels = PictureLabels(from: start)
        codec = try RenewableCodec(
            source, threads: threads, decodesAll: decodesAll, open: openCodec)
        packet = try Packet()
        codecID = id
        skipping = PacketSkipping(id, source as? Demuxer)
        keys = CleanKeys(id, source as? Demuxer)
    }

    /// Whether pictures that nothing refers to can be skipped without an effect on others.
    var canSkipUnreferenced: Bool { skipping.canSkipUnreferenced }

    /// Whether pictures may be presented in another order than they are coded in.
    var isReordering: Bool { codec.current.isReordering }

    /// Whether the decoder gets no more packets, but still has pictures.
    var isDraining: Bool { phase == .draining }

    /// What has been found so far.
    var findings: PacketFindings {
        PacketFindings(
            corruptCount: damage.count, damage: source.damage, hasJumped: source.hasJumpingClock)
    }

    /// Whether the source is exhausted because one packet was decoded in isolation.
    var isExhausted: Bool { phase == .exhausted }

    /// Decodes the next picture, or returns nil at the end.
    ///
    /// Pictures shown before `time` that nothing refers to may be skipped.
    func next(skippingBefore time: Int64? = nil) throws(MediaError) -> Picture? {
        var picture = try decode(skippingBefore: time)
        // Behind the damage threads may begin again, and meet the next.
        while run.isDamaged, !codec.isSteady { picture = try repeatSteadily(skippingBefore: time) }
        if let picture { run.didReturn(picture) }
        return picture
    }

    /// Decodes the next picture; returns nil at the end, and at damage unless the decoder is steady.
    func decode(skippingBefore time: Int64?) throws(MediaError) -> Picture? {
        guard phase == .reading || phase == .draining else { return nil }
        let picture = try Picture()
        while true {
            try source.cancellation.check()
            let status = codec.current.receive(picture)
            noteErrors(isAtEnd: status == LZ_ERROR_EOF)
            if status == LZ_ERROR_EOF { noteLost() }
            if status == 0 {
                take(picture)
                return picture
            }
            if status != LZ_ERROR_AGAIN, let refusal = codec.current.refusal { throw refusal }
            if run.isDamaged, !codec.isSteady { return nil }
            if status == LZ_ERROR_EOF, sequences.isWaiting || run.isResuming {
                try takeWaiting()
                continue
            }
            if status == LZ_ERROR_EOF || packetsWithoutPicture > Self.maxPacketsWithoutPicture {
                break
            }
            if status != LZ_ERROR_AGAIN {
                try record(status)
            } else if phase == .draining {
                break
            } else {
                try feed(skippingBefore: time)
            }
        }
        phase = .atEnd
        return nil
    }

    private func take(_ picture: Picture) {
        packetsWithoutPicture = 0
        labels.label(picture)
        noteLost(before: picture)
        if picture.isDamaged { note(picture.pts.map { .time($0) }) }
    }

    /// Sends the packet that had to wait until all pictures before it were out.
    private func takeWaiting() throws(MediaError) {
        if run.isResuming {
            try codec.setSteady(false)
            run.didResume()
        } else {
            codec.current.flush()
        }
        sequences.didDrain()
        try send()
    }

    // MARK: - Seeking

    /// Seeks to the start.
    func restart() throws(MediaError) {
        try source.restart()
        try codec.restart()
        didSeek(to: 0)
        run.begin(at: .start)
    }

    /// Continues with another number of threads; the pictures inside the decoder are lost.
    func renewDecoder(threads: Int) throws(MediaError) { try codec.renew(threads: threads) }

    /// Seeks to a keyframe's packet, so that decoding begins with it.
    func start(at entry: PacketIndex.Entry) throws(MediaError) {
        try go(to: entry)
        run.begin(at: .entry(entry))
    }

    private func go(to entry: PacketIndex.Entry) throws(MediaError) {
        if canSeek, !entry.isShifted {
            if source.goToListed(entry.number) {
                return didSeek(to: entry.number, at: entry.pts)
            }
            // Demuxers seek by presentation or by decoding times: the former saves a group of pictures.
            let times = [entry.pts, entry.dts].compactMap { $0 }
            for time in [times.first, times.min()].compactMap({ $0 }) where source.seek(to: time) {
                if try find(entry) { return didSeek(to: entry.number, at: entry.pts) }
                if times.first == times.min() { break }
            }
        }
        if !entry.isShifted, let position = entry.position, source.seek(toByte: position),
            try find(entry)
        {
            return didSeek(to: entry.number, at: entry.pts)
        }
        if try readOn(to: entry) { return didSeek(to: entry.number, at: entry.pts) }
        try source.restart()
        for _ in 0..<entry.number where try !source.read(into: packet) { break }
        packet.clear()
        didSeek(to: entry.number, at: entry.pts)
    }

    /// Reads on to a packet after a demuxer's seek, and puts it back.
    private func find(_ entry: PacketIndex.Entry) throws(MediaError) -> Bool {
        guard let demuxer = source as? Demuxer, let wanted = entry.pts else { return false }
        for _ in 0..<10_000 {
            guard try demuxer.read(into: packet) else { return false }
            if packet.pts == wanted, packet.size == entry.size {
                try demuxer.putBack(packet)
                return true
            }
            if packet.isKey, let pts = packet.pts, pts > wanted { return false }
        }
        return false
    }

    /// Reads on to a packet of a joined file, where no demuxer finds it; false where it is not in front.
    private func readOn(to entry: PacketIndex.Entry) throws(MediaError) -> Bool {
        guard entry.isShifted, !skipping.readsAhead, packetNumber > 0, packetNumber <= entry.number,
            let demuxer = source as? Demuxer
        else { return false }
        for _ in packetNumber...entry.number where try !demuxer.read(into: packet) { return false }
        guard packet.pts == entry.pts, packet.size == entry.size else { return false }
        try demuxer.putBack(packet)
        return true
    }

    /// Forgets what was decoded: the next packet is that of a number, and of a time where it has none itself.
    func didSeek(to number: Int, at ticks: Int64? = nil) {
        codec.current.flush()
        skipping.forget()
        run.errors = codec.current.errorCount
        _ = codec.current.unfinishedCount(isAtEnd: true)
        (phase, packetsWithoutPicture, packetNumber) = (.reading, 0, number)
        (labels, sequences) = (PictureLabels(from: ticks ?? start), SequenceChanges())
    }

    /// Decodes the next packet in isolation: no packet after it is read.
    ///
    /// The source is exhausted afterwards, until the next start.
    func decodeNextIsolated() throws(MediaError) -> Picture? {
        defer {
            codec.current.flush()
            phase = .exhausted
        }
        try feedIsolated()
        let picture = try decode(skippingBefore: nil)
        guard run.isDamaged, !codec.isSteady else { return picture }
        try beginSteadily()
        try feedIsolated()
        return try decode(skippingBefore: nil)
    }

    /// Sends the next packet, and no other.
    private func feedIsolated() throws(MediaError) {
        try feed(skippingBefore: nil)
        drain()
    }

    // MARK: - Packets

    private func feed(skippingBefore time: Int64?) throws(MediaError) {
        let wanted = selection.times(from: time)
        let outcome = try skipping.read(into: packet, from: source, wanted: wanted)
        guard outcome != .end, !selection.endsAtDamage || !packet.isCorrupt else { return drain() }
        packetNumber += 1
        if skipping.mustDrop(packet, selection) { return packet.clear() }
        // Any number of unwanted packets may come between keyframes.
        if selection.discard == AVDISCARD_DEFAULT { packetsWithoutPicture += 1 }
        if outcome == .dropped { return }
        let isEarly = !wanted.contains(packet.pts)
        codec.current.skip = skipping.discard(selection, isEarly: isEarly)
        if selection.isQuick { codec.current.skipsDeblocking = true }
        if packet.isEncrypted {
            throw MediaError(.encrypted, "The video is encrypted and there is no key.")
        }
        inside = packet.pts.map { .time($0) } ?? .number(packetNumber)
        if packet.isCorrupt {
            note(inside)
            // A demuxer that has sought behind what it left out does not meet it again.
            damage.add(inside)
        }
        if isEarly, skipping.canDrop(packet) { return packet.clear() }
        if mustResume() || sequences.mustWait(packet, codecID) {
            _ = codec.current.send(nil)
            return
        }
        try send()
    }

    /// Whether decoding goes on with threads from this packet on.
    ///
    /// Where seeking is reading from the start, so that every change costs more, it never does.
    private func mustResume() -> Bool {
        let key = keys.entry(packet, number: packetNumber - 1)
        run.didRead(key)
        return key != nil && canSeek && !isCatchingUp && codec.isSteady && codec.threads > 1
            && run.mustResume(after: damage.count)
    }

    private func drain() {
        phase = .draining
        _ = codec.current.send(nil)
    }

    private func send() throws(MediaError) {
        let isAwaited = skipping.mustShow && codec.current.skip == AVDISCARD_DEFAULT
        labels.mark(packet, isAwaited: isAwaited)
        let status = codec.current.send(packet)
        noteErrors()
        if let refusal = codec.current.refusal { throw refusal }
        if status < 0 { try record(status) }
    }

    // MARK: - Damage

    /// Counts damage; a lack of memory is none, and ends the work.
    private func record(_ status: CInt) throws(MediaError) {
        if status == LZ_ERROR_NOMEM { try check(status, "decode the picture") }
        packetsWithoutPicture += 1
        run.damages += 1
        if codec.isSteady { damage.add(inside, status: status) }
    }

    /// Counts a packet that is damaged, or nil where only the picture is known.
    private func note(_ packet: DecodingDamage.PacketName?) {
        run.damages += 1
        guard codec.isSteady, packet != nil || damage.count == 0 else { return }
        damage.add(packet ?? inside, line: codec.current.firstErrorLine)
    }

    /// Counts the packets whose pictures did not come out.
    private func noteLost(before picture: Picture? = nil) {
        for time in labels.lost(before: picture) { note(.time(time)) }
    }

    /// Counts the packet in the decoder where that logged an error.
    ///
    /// Not in a run that begins inside of an open group of pictures, whose first ones refer to missing ones, nor where
    /// packets are left out.
    private func noteErrors(isAtEnd: Bool = false) {
        let count = codec.current.errorCount
        let unfinished = codec.current.unfinishedCount(isAtEnd: isAtEnd)
        guard count != run.errors || unfinished > 0 else { return }
        run.errors = count
        if run.isClean, selection.discard == AVDISCARD_DEFAULT { note(inside) }
    }
}
