internal import CFFmpeg
internal import LazyMedia

/// What the ends of a long recording tell whose header does not count its frames, so that the rest need not be read.
///
/// Only where it is one recording: the clusters of Matroska follow each other to the end of the file, and the times of a
/// transport stream ascend about as fast everywhere.
struct RecordingEnds: Sendable {
    /// When the first picture is shown, in ticks.
    let first: Int64
    /// When the last picture ends, in ticks.
    let end: Int64
    /// The number of frames at the rate of the stream.
    let estimatedCount: Int
    /// The keyframes of clusters; none of a transport stream, in which times are found by bisection.
    let keys: [MatroskaClusters.Key]
    /// What finds the keyframes between them, where the file is at a server and has no cues.
    private(set) var search: ClusterSearch?

    /// How far before its end a transport stream is read: more than its largest pictures.
    private static let tail = 1 << 20

    /// Announces what is read to open a recording at a server whose header does not tell where it ends.
    static func announce(_ bytes: any ByteSource, format: String) throws(MediaError) {
        guard bytes.isRemote, bytes.hasReachableEnd, bytes.count > ClockSurvey.quickBytes else {
            return
        }
        switch format {
        case "mpegts": break
        case "matroska": guard try MatroskaSegment(bytes)?.size == nil else { return }
        default: return
        }
        // Packets end behind that.
        bytes.willRead(0..<SteadyTimes.beginning + SteadyTimes.sampleSize)
        bytes.willRead(bytes.count - tail..<bytes.count)
    }

    /// Reads the ends of an open file again; nil where they may not tell all, and of files that are read at once.
    init?(
        _ demuxer: Demuxer, _ stream: VideoStream, quickBytes: Int = ClockSurvey.quickBytes
    ) throws(MediaError) {
        let bytes = demuxer.bytes
        guard bytes.count > quickBytes, bytes.hasReachableEnd,
            PacketIndexer.seekableCodecs.contains(stream.codec), let rate = demuxer.frameRate
        else { return nil }
        var clusters: MatroskaClusters?
        switch demuxer.formatName {
        case "matroska":
            clusters = try Self.clusters(demuxer, stream.timeBase)
            guard let clusters else { return nil }
            keys = clusters.keys
        case "mpegts": keys = []
        default: return nil
        }
        let reader = try ClockSurvey.reopen(demuxer, stream)
        reader.add(keys)
        let packet = try Packet()
        guard try reader.read(into: packet), packet.isKey, let first = packet.pts else {
            return nil
        }
        if keys.isEmpty {
            if bytes.isRemote, try !reader.isSteady(to: SteadyTimes.beginning, packet) {
                return nil
            }
            guard try ClockSurvey.isEven(reader) else { return nil }
        }
        let isThere =
            if let key = keys.last { reader.seek(to: key.ticks) } else {
                reader.seek(toByte: bytes.count - Self.tail)
            }
        // Now FFmpeg has read the cues.
        if bytes.isRemote, let clusters, !reader.hasKeys(between: clusters.keys) {
            search = ClusterSearch(clusters)
        }
        guard isThere, let end = try reader.lastEnd(packet), end > first else { return nil }
        self.first = first
        self.end = end
        estimatedCount = Self.count(from: first, to: end, stream.timeBase, rate)
    }

    private static func clusters(
        _ demuxer: Demuxer, _ base: Rational
    ) throws(MediaError) -> MatroskaClusters? {
        guard demuxer.bytes.isRemote else {
            return try MatroskaClusters(
                demuxer.bytes, base: base, demuxer.limits, demuxer.cancellation)
        }
        return try MatroskaClusters(endsOf: demuxer.bytes, base: base, demuxer.cancellation)
    }

    /// Takes the first and the last samples of a movie in fragments; nil where these do not tell its frames.
    init?(_ packets: PacketListing, _ demuxer: Demuxer, _ codec: AVCodecID, isReordering: Bool) {
        guard PacketIndexer.seekableCodecs.contains(codec), let rate = demuxer.frameRate,
            let index = PacketIndexer.index(packets, of: codec, isReordering: isReordering),
            let first = index.frames.first, let last = index.frames.last, first.ticks < last.ticks
        else { return nil }
        self.first = first.ticks
        end = last.ticks.adding(index.duration(index.frames.count - 1))
        estimatedCount = Self.count(
            from: self.first, to: end, Rational(1, Int64(packets.table.timescale)), rate)
        (keys, search) = ([], nil)
    }

    private static func count(
        from first: Int64, to end: Int64, _ base: Rational, _ rate: Double
    ) -> Int {
        let length = MediaTime(ticks: end.since(first), base: base).duration
        return max(1, Int(saturating: (length / .seconds(1) * rate).rounded()))
    }
}

extension Demuxer {
    /// Reads on to the end: when the last picture ends, in ticks; nil where there is none, and where the clock jumps.
    func lastEnd(_ packet: Packet) throws(MediaError) -> Int64? {
        var last: (ticks: Int64, end: Int64)?
        var (latest, step): (Int64?, Int64) = (nil, 0)
        while try read(into: packet) {
            guard let pts = packet.pts else { continue }
            if let latest, pts > latest { step = pts.since(latest) }
            latest = max(pts, latest ?? pts)
            guard pts >= last?.ticks ?? .min else { continue }
            last = (pts, pts.adding(packet.duration > 0 ? packet.duration : step))
        }
        return hasJumpingClock ? nil : last?.end
    }

    /// Knows of the keyframes of a recording before anything is read.
    func take(_ ends: RecordingEnds) {
        add(ends.keys)
        search = ends.search
    }

    /// Whether keyframes are listed between the first two of some.
    fileprivate func hasKeys(between keys: [MatroskaClusters.Key]) -> Bool {
        keyTicks.contains { keys[0].ticks < $0 && $0 < keys[1].ticks }
    }

    /// Whether the clock of the packets up to an offset continues.
    fileprivate func isSteady(to end: Int, _ packet: Packet) throws(MediaError) -> Bool {
        while try read(into: packet), packet.position ?? 0 < end {}
        return !hasJumpingClock
    }

    /// Lists keyframes, as cues do, before anything is read.
    func add(_ keys: [MatroskaClusters.Key]) {
        guard let streamIndex, streams.indices.contains(streamIndex) else { return }
        for key in keys { lz_index_add(streams[streamIndex], Int64(key.position), key.ticks) }
    }
}
