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

    /// How far before its end a transport stream is read: more than its largest pictures.
    private static let tail = 1 << 20

    /// Reads the ends of an open file again; nil where they may not tell all, and of files that are read at once.
    init?(
        _ demuxer: Demuxer, _ stream: VideoStream, quickBytes: Int = ClockSurvey.quickBytes
    ) throws(MediaError) {
        let bytes = demuxer.bytes
        guard bytes.count > quickBytes, !bytes.isRemote, !bytes.isPartial,
            PacketIndexer.seekableCodecs.contains(stream.codec), let rate = demuxer.frameRate
        else { return nil }
        switch demuxer.formatName {
        case "matroska":
            guard
                let clusters = try MatroskaClusters(
                    bytes, base: stream.timeBase, demuxer.limits, demuxer.cancellation)
            else { return nil }
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
        if keys.isEmpty, try !ClockSurvey.isEven(reader) { return nil }
        let isThere =
            if let key = keys.last { reader.seek(to: key.ticks) } else {
                reader.seek(toByte: bytes.count - Self.tail)
            }
        guard isThere, let end = try reader.lastEnd(packet), end > first else { return nil }
        self.first = first
        self.end = end
        let length = MediaTime(ticks: end.since(first), base: stream.timeBase).duration
        estimatedCount = max(1, Int(saturating: (length / .seconds(1) * rate).rounded()))
    }
}

extension Demuxer {
    /// Reads on to the end: when the last picture ends, in ticks; nil where there is none.
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
        return last?.end
    }

    /// Lists keyframes, as cues do, before anything is read.
    func add(_ keys: [MatroskaClusters.Key]) {
        guard let streamIndex, streams.indices.contains(streamIndex) else { return }
        for key in keys { lz_index_add(streams[streamIndex], Int64(key.position), key.ticks) }
    }
}
