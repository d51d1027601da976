internal import CFFmpeg
internal import LazyMedia

/// Decodes one stream: reads packets and returns pictures in order of presentation.
///
/// Damage is skipped or concealed as the `ffmpeg` command does, and counted.
final class PictureSource {
    /// The most consecutive packets without a picture; a stream with more never yields one.
    private static let mostPacketsWithoutPicture = 20_000

    let source: any PacketSource
    private let makeCodec: CodecMaker
    private var threads: Int
    private var codec: VideoCodec
    let packet: Packet
    let codecID: AVCodecID
    private(set) var isDraining = false
    private var isAtEnd = false
    /// Whether the source is exhausted because one packet was decoded in isolation.
    private(set) var isExhausted = false
    private var packetsWithoutPicture = 0
    private var lastTicks: Int64?
    private var lastDuration: Int64 = 1
    // The packets inside the decoder that were keyframes. Decoders disagree with containers (libvpx
    // reports every picture as one), and seeking depends on the container.
    private var keyMarks: [Int64: Bool] = [:]
    /// The number of packets read since the start, where it is known.
    private(set) var packetNumber = 0
    /// Packets that were not decoded, or only with concealed parts.
    private(set) var damagedCount = 0
    /// The first error.
    private(set) var firstFault: MediaError?
    /// Which pictures are decoded at all.
    var wanted = AVDISCARD_DEFAULT
    /// The times of the pictures that are wanted up to the last of them, in order; nil where all are.
    ///
    /// Others that nothing refers to are skipped, also those that a decoder needs long before it returns one.
    var expected: [Int64]?
    /// Whether pictures need not be exact.
    var isQuick = false
    /// Whether a truncated packet counts as the end.
    var endsAtDamage = false
    /// Whether pictures that nothing refers to can be skipped without an effect on others.
    let canSkipUnreferenced: Bool
    // Nil for codecs whose packets are not parsed here.
    private let unreferenced: UnreferencedPackets?
    // Nil for other codecs than AV1.
    private var ahead: PacketsAhead?
    // The newest header of a sequence; nil before the first.
    private var sequence: MPEGSequence?
    /// Whether a packet of another sequence waits until the pictures of the one before are out.
    private var isBetweenSequences = false
    /// Whether the decoder reports skipped packets as damaged, as Theora's does with threads.
    private let reportsSkippedAsDamaged: Bool

    // Whether every picture is decoded, as in a read from the start.
    private var decodesAll: Bool

    /// Opens a decoder for the packets' stream, given a number of threads and whether every picture is decoded.
    typealias CodecMaker = (any PacketSource, Int, Bool) throws(MediaError) -> VideoCodec

    /// Makes a source of pictures.
    init(
        _ source: any PacketSource, id: AVCodecID, threads: Int, decodesAll: Bool = true,
        makeCodec: @escaping CodecMaker
    ) throws(MediaError) {
        self.source = source
        self.makeCodec = makeCodec
        self.threads = threads
        self.decodesAll = decodesAll
        codec = try makeCodec(source, threads, decodesAll)
        packet = try Packet()
        codecID = id
        reportsSkippedAsDamaged = id == AV_CODEC_ID_THEORA || id == AV_CODEC_ID_VP3
        canSkipUnreferenced = [
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO,
            AV_CODEC_ID_MPEG4, AV_CODEC_ID_AV1,
        ].contains(id)
        let demuxer = source as? Demuxer
        unreferenced = demuxer.flatMap { UnreferencedPackets(id, extradata: $0.extradata) }
        if id == AV_CODEC_ID_AV1 {
            ahead = demuxer.map { PacketsAhead(extradata: $0.extradata) }
        }
    }

    /// The damage that the demuxer found.
    var containerDamage: String? { source.damage }

    /// Decodes the next picture, or returns nil at the end.
    ///
    /// Pictures shown before `time` that nothing refers to may be skipped.
    func next(skippingBefore time: Int64? = nil) throws(MediaError) -> Picture? {
        guard !isAtEnd else { return nil }
        let picture = try Picture()
        while true {
            try source.cancellation.check()
            let status = codec.receive(picture)
            if status == 0 {
                take(picture)
                return picture
            }
            if status != LZ_ERROR_AGAIN, let refusal = codec.refusal { throw refusal }
            if status == LZ_ERROR_EOF, isBetweenSequences {
                codec.flush()
                isBetweenSequences = false
                try send()
                continue
            }
            if status == LZ_ERROR_EOF || packetsWithoutPicture > Self.mostPacketsWithoutPicture {
                break
            }
            if status != LZ_ERROR_AGAIN {
                record(status)
            } else if isDraining {
                break
            } else {
                try feed(skippingBefore: time)
            }
        }
        isAtEnd = true
        return nil
    }

    /// Seeks to the start.
    func restart() throws(MediaError) {
        try source.restart()
        // Not every decoder is reset by a flush (APNG's keeps its canvas). How FFmpeg conceals damaged H.264 depends on
        // the number of threads, so every read from the start uses the same.
        decodesAll = true
        codec = try makeCodec(source, threads, decodesAll)
        didSeek(to: 0)
    }

    /// Continues with another number of threads; the pictures inside the decoder are lost.
    func renewDecoder(threads: Int) throws(MediaError) {
        guard threads != self.threads else { return }
        self.threads = threads
        codec = try makeCodec(source, threads, decodesAll)
    }

    /// Seeks to a keyframe's packet, so that decoding begins with it.
    func start(at entry: PacketIndex.Entry, canSeek: Bool) throws(MediaError) {
        if canSeek {
            if (source as? Demuxer)?.goToListed(entry.number) == true {
                return didSeek(to: entry.number)
            }
            // Demuxers seek by presentation or by decoding times: the former saves a group of pictures.
            let times = [entry.pts, entry.dts].compactMap { $0 }
            for time in [times.first, times.min()].compactMap({ $0 }) where source.seek(to: time) {
                if try find(entry) { return didSeek(to: entry.number) }
                if times.first == times.min() { break }
            }
        }
        try source.restart()
        for _ in 0..<entry.number where try !source.read(into: packet) { break }
        packet.clear()
        didSeek(to: entry.number)
    }

    /// Decodes a keyframe in isolation: no packet after it is read.
    ///
    /// The source is exhausted afterwards, until the next start.
    func decodeIsolated(_ entry: PacketIndex.Entry) throws(MediaError) -> Picture? {
        try start(at: entry, canSeek: true)
        return try decodeNextIsolated()
    }

    /// Decodes the next packet in isolation.
    func decodeNextIsolated() throws(MediaError) -> Picture? {
        defer {
            codec.flush()
            (isAtEnd, isExhausted) = (true, true)
        }
        try feed(skippingBefore: nil)
        _ = codec.send(nil)
        isDraining = true
        return try next()
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

    func didSeek(to number: Int) {
        codec.flush()
        ahead?.forget()
        (isDraining, isAtEnd, isExhausted, packetsWithoutPicture) = (false, false, false, 0)
        (lastTicks, lastDuration) = (nil, 1)
        (sequence, isBetweenSequences) = (nil, false)
        keyMarks = [:]
        packetNumber = number
    }

    private func feed(skippingBefore time: Int64?) throws(MediaError) {
        let outcome = try readPacket(skippingBefore: time)
        guard outcome != .end, !endsAtDamage || !packet.isCorrupt else {
            isDraining = true
            _ = codec.send(nil)
            return
        }
        packetNumber += 1
        if reportsSkippedAsDamaged, wanted == AVDISCARD_NONKEY, !packet.isKey {
            return packet.clear()
        }
        // Any number of unwanted packets may come between keyframes.
        if wanted == AVDISCARD_DEFAULT { packetsWithoutPicture += 1 }
        if outcome == .dropped { return }
        let isEarly = !times(from: time).contains(packet.pts)
        codec.skip = isEarly && canSkipUnreferenced ? max(AVDISCARD_NONREF, wanted) : wanted
        if isQuick { codec.skipsDeblocking = true }
        if packet.isEncrypted {
            throw MediaError(.encrypted, "The video is encrypted and there is no key.")
        }
        if packet.isCorrupt { damagedCount += 1 }
        if isEarly, unreferenced?.canDrop(packet.bytes) == true { return packet.clear() }
        if beginsSequence() {
            isBetweenSequences = true
            _ = codec.send(nil)
            return
        }
        try send()
    }

    /// Whether the packet's sequence header differs from the one before.
    private func beginsSequence() -> Bool {
        guard let header = MPEGSequence(packet.bytes, codecID) else { return false }
        defer { sequence = header }
        return sequence != nil && sequence != header
    }

    private func send() throws(MediaError) {
        mark()
        let status = codec.send(packet)
        if let refusal = codec.refusal { throw refusal }
        if status < 0 { record(status) }
    }

    /// Reads the next packet, of AV1 without the frames that are not needed.
    private func readPacket(skippingBefore time: Int64?) throws(MediaError) -> PacketsAhead.Outcome
    {
        guard ahead != nil else { return try source.read(into: packet) ? .read : .end }
        // Taken out, so that it is not accessed twice.
        var ahead = self.ahead.take()
        defer { self.ahead = ahead }
        return try ahead?.read(into: packet, from: source, wanted: times(from: time)) ?? .end
    }

    private func times(from start: Int64?) -> WantedTimes {
        WantedTimes(start: start, expected: expected)
    }

    /// Whether pictures may be presented in another order than they are coded in.
    var isReordering: Bool { codec.isReordering }

    private func mark() {
        guard let pts = packet.pts else { return }
        // Pictures that never come out leave theirs behind.
        if keyMarks.count > 1024 { keyMarks = [:] }
        keyMarks[pts] = packet.isKey
    }

    private func take(_ picture: Picture) {
        packetsWithoutPicture = 0
        if picture.isDamaged { damagedCount += 1 }
        let next = lastTicks.map { $0.addingReportingOverflow(lastDuration).partialValue }
        picture.ticks = picture.pts ?? next ?? 0
        picture.isKey = keyMarks.removeValue(forKey: picture.ticks) ?? picture.isCodedAlone
        lastTicks = picture.ticks
        if picture.duration > 0 { lastDuration = picture.duration }
    }

    private func record(_ status: CInt) {
        damagedCount += 1
        packetsWithoutPicture += 1
        let error = FFmpegError(code: status, line: FFmpegLog.takeLine())
        if firstFault == nil { firstFault = error.mediaError("decode the video") }
    }
}

private func max(_ one: AVDiscard, _ other: AVDiscard) -> AVDiscard {
    one.rawValue > other.rawValue ? one : other
}
