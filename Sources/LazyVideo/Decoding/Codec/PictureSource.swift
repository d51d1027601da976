internal import CFFmpeg
internal import LazyMedia

/// Decodes one stream: packets in, pictures in order of presentation out.
///
/// Damage is skipped or concealed as the `ffmpeg` command does, and counted.
final class PictureSource {
    /// Packets in a row that may bring no picture; more is a stream that never will.
    private static let patience = 20_000

    let source: any PacketSource
    private let makeCodec: CodecMaker
    private var threads: Int
    private var codec: VideoCodec
    let packet: Packet
    let codecID: AVCodecID
    private(set) var isDraining = false
    private var isAtEnd = false
    /// Whether nothing more comes because one packet was decoded for itself.
    private(set) var isSpent = false
    private var fruitless = 0
    private var lastTicks: Int64?
    private var lastDuration: Int64 = 1
    // Which packets on their way through the decoder were keyframes. Decoders disagree with
    // containers (libvpx calls every picture one), and the container is what seeks go by.
    private var keyMarks: [Int64: Bool] = [:]
    /// The number of packets read since the beginning, where it is known.
    private(set) var packetNumber = 0
    /// Packets that could not be decoded, or only with parts made up.
    private(set) var damagedCount = 0
    /// The first thing that went wrong.
    private(set) var firstFault: MediaError?
    /// Which pictures are wanted at all.
    var wanted = AVDISCARD_DEFAULT
    /// Whether pictures need not be exact.
    var isQuick = false
    /// Whether a packet that was cut off counts as the end.
    var endsAtDamage = false
    /// Whether pictures that nothing refers to can be left out without a trace.
    let canSkipUnreferenced: Bool
    /// Whether the decoder, told to skip, calls what it skips damaged, as Theora's does with threads.
    private let skipsBadly: Bool

    /// Opens a decoder for the packets' stream, with so many threads.
    typealias CodecMaker = (any PacketSource, Int) throws(MediaError) -> VideoCodec

    /// Makes a source of pictures.
    init(
        _ source: any PacketSource, id: AVCodecID, threads: Int, makeCodec: @escaping CodecMaker
    ) throws(MediaError) {
        self.source = source
        self.makeCodec = makeCodec
        self.threads = threads
        codec = try makeCodec(source, threads)
        packet = try Packet()
        codecID = id
        skipsBadly = id == AV_CODEC_ID_THEORA || id == AV_CODEC_ID_VP3
        canSkipUnreferenced = [
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO,
            AV_CODEC_ID_MPEG4,
        ].contains(id)
    }

    /// What the demuxer found wrong.
    var containerDamage: String? { source.damage }

    /// Set from outside to end the decoding within one packet.
    var cancellation: CancellationFlag { source.cancellation }

    /// Decodes the next picture, or returns nil at the end.
    ///
    /// Pictures shown before `time` that nothing refers to may be left out.
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
            if status == LZ_ERROR_EOF || fruitless > Self.patience { break }
            if status != LZ_ERROR_AGAIN {
                note(status)
            } else if isDraining {
                break
            } else {
                try feed(skippingBefore: time)
            }
        }
        isAtEnd = true
        return nil
    }

    /// Goes back before the first picture.
    func restart() throws(MediaError) {
        try source.restart()
        // Not every decoder forgets all when it is flushed (APNG's keeps its canvas).
        codec = try makeCodec(source, threads)
        didJump(to: 0)
    }

    /// Goes on with another number of threads; what was in the decoder is lost.
    func renewDecoder(threads: Int) throws(MediaError) {
        guard threads != self.threads else { return }
        self.threads = threads
        codec = try makeCodec(source, threads)
    }

    /// Goes to a keyframe's packet, so that decoding begins with it.
    func start(at entry: PacketIndex.Entry, canSeek: Bool) throws(MediaError) {
        if canSeek {
            // Demuxers go by presentation or by decoding times: the former saves a group of pictures.
            let times = [entry.pts, entry.dts].compactMap { $0 }
            for time in [times.first, times.min()].compactMap({ $0 }) where source.seek(to: time) {
                if try find(entry) { return didJump(to: entry.number) }
                if times.first == times.min() { break }
            }
        }
        try source.restart()
        for _ in 0..<entry.number where try !source.read(into: packet) { break }
        packet.clear()
        didJump(to: entry.number)
    }

    /// Decodes a keyframe for itself: nothing behind its packet is read.
    ///
    /// The source is spent afterwards, until the next start.
    func only(_ entry: PacketIndex.Entry) throws(MediaError) -> Picture? {
        try start(at: entry, canSeek: true)
        return try onlyNext()
    }

    /// Decodes the next packet for itself.
    func onlyNext() throws(MediaError) -> Picture? {
        defer {
            codec.flush()
            (isAtEnd, isSpent) = (true, true)
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

    func didJump(to number: Int) {
        codec.flush()
        (isDraining, isAtEnd, isSpent, fruitless) = (false, false, false, 0)
        (lastTicks, lastDuration) = (nil, 1)
        keyMarks = [:]
        packetNumber = number
    }

    private func feed(skippingBefore time: Int64?) throws(MediaError) {
        guard try source.read(into: packet), !endsAtDamage || !packet.isCorrupt else {
            isDraining = true
            _ = codec.send(nil)
            return
        }
        packetNumber += 1
        if skipsBadly, wanted == AVDISCARD_NONKEY, !packet.isKey { return packet.clear() }
        // Between keyframes there may be any number of packets that nobody wants.
        if wanted == AVDISCARD_DEFAULT { fruitless += 1 }
        let isEarly = packet.pts.map { pts in time.map { pts < $0 } ?? false } ?? false
        codec.skip = isEarly && canSkipUnreferenced ? max(AVDISCARD_NONREF, wanted) : wanted
        if isQuick { codec.skipsDeblocking = true }
        if packet.isEncrypted {
            throw MediaError(.encrypted, "The video is encrypted and there is no key.")
        }
        if packet.isCorrupt { damagedCount += 1 }
        mark()
        let status = codec.send(packet)
        if let refusal = codec.refusal { throw refusal }
        if status < 0 { note(status) }
    }

    /// Whether pictures may come out in another order than they are coded in.
    var isReordering: Bool { codec.isReordering }

    private func mark() {
        guard let pts = packet.pts else { return }
        // Pictures that never come out leave theirs behind.
        if keyMarks.count > 1024 { keyMarks = [:] }
        keyMarks[pts] = packet.isKey
    }

    private func take(_ picture: Picture) {
        fruitless = 0
        if picture.isDamaged { damagedCount += 1 }
        let next = lastTicks.map { $0.addingReportingOverflow(lastDuration).partialValue }
        picture.ticks = picture.pts ?? next ?? 0
        picture.isKey = keyMarks.removeValue(forKey: picture.ticks) ?? picture.isCodedAlone
        lastTicks = picture.ticks
        if picture.duration > 0 { lastDuration = picture.duration }
    }

    private func note(_ status: CInt) {
        damagedCount += 1
        fruitless += 1
        let error = FFmpegError(code: status, line: FFmpegLog.takeLine())
        if firstFault == nil { firstFault = error.mediaError("decode the video") }
    }
}

private func max(_ one: AVDiscard, _ other: AVDiscard) -> AVDiscard {
    one.rawValue > other.rawValue ? one : other
}
