internal import CFFmpeg
internal import LazyMedia

/// The packets that seeking by cues needs.
extension PictureSource {
    private var demuxer: Demuxer? { source as? Demuxer }

    /// The time of the first packet, if it is that of the first frame, or nil.
    ///
    /// `units` is for streams in which only an IDR picture is known to be shown first.
    func firstTicks(_ units: NALLayout? = nil) throws(MediaError) -> Int64? {
        guard let demuxer, packetNumber == 0, try demuxer.read(into: packet) else { return nil }
        defer { packet.clear() }
        let isFirst = packet.isKey && !packet.isDiscarded && !packet.isCorrupt
        let ticks = isFirst && units?.containsIDR(packet.bytes) != false ? packet.pts : nil
        try demuxer.putBack(packet)
        return ticks
    }

    /// Seeks to the keyframe at or before a time, or returns nil; in a transport stream by reading around it.
    func startByCues(at ticks: Int64) throws(MediaError) -> PacketIndex.Entry? {
        guard let demuxer else { return nil }
        if demuxer.formatName == "mpegts" {
            guard let entry = try transportKeys(around: ticks, demuxer).last else { return nil }
            try start(at: entry)
            return entry
        }
        if demuxer.listing != nil {
            return try startInParts(around: ticks, demuxer) { $0.key(upTo: ticks) }
        }
        if let search = demuxer.search {
            demuxer.add(try search.keys(around: ticks, demuxer.cancellation))
        }
        guard demuxer.seek(to: ticks), try demuxer.read(into: packet), packet.isKey
        else { return nil }
        let entry = entry(demuxer)
        try demuxer.putBack(packet)
        // The position is known only not to be the start.
        didSeek(to: 1)
        run.begin(at: .time(ticks))
        return entry
    }

    /// Seeks to the first keyframe behind a time; false where the container does not lead there.
    func startByCues(behind earliest: Int64, near goal: Int64) throws(MediaError) -> Bool {
        guard let demuxer else { return false }
        if demuxer.formatName == "mpegts" {
            guard let entry = try transportKeys(around: earliest, demuxer).next else {
                return false
            }
            try start(at: entry)
            return true
        }
        if demuxer.listing != nil {
            return try startInParts(around: earliest, demuxer) { $0.key(behind: earliest) } != nil
        }
        guard try startByCues(at: goal) != nil,
            let ticks = cueTicks.first(where: { $0 > earliest }),
            let entry = try startByCues(at: ticks)
        else { return false }
        return entry.pts == ticks
    }

    /// The packet that was read, as one to begin with; its number is known only not to be the first.
    private func entry(_ demuxer: Demuxer, number: Int = 1) -> PacketIndex.Entry {
        let units = codecID == AV_CODEC_ID_H264 ? NALLayout(extradata: demuxer.extradata) : nil
        return PacketIndex.Entry(
            number: number, pts: packet.pts, dts: packet.dts, size: packet.size,
            position: packet.position, isClean: units?.containsIDR(packet.bytes) ?? true)
    }

    /// Lists the fragments of a movie around a time, and starts at one of their keyframes.
    private func startInParts(
        around ticks: Int64, _ demuxer: Demuxer, at key: (PacketListing) -> Int?
    ) throws(MediaError) -> PacketIndex.Entry? {
        guard try demuxer.list(around: ticks), let packets = demuxer.listing?.packets,
            let number = key(packets), demuxer.goToListed(number),
            try demuxer.read(into: packet)
        else { return nil }
        defer { packet.clear() }
        let entry = entry(demuxer, number: number)
        try start(at: entry)
        return entry
    }

    /// How far before a time its keyframe is looked for, in seconds.
    private static let distances: [Int64] = [3, 12, 48]

    /// The last keyframe of a transport stream at or before a time, and the first one behind it.
    ///
    /// FFmpeg bisects the file for a time some seconds before, from which packets are read.
    private func transportKeys(
        around ticks: Int64, _ demuxer: Demuxer
    ) throws(MediaError) -> (last: PacketIndex.Entry?, next: PacketIndex.Entry?) {
        defer { packet.clear() }
        for seconds in Self.distances {
            // Times are in ticks of 90 kHz (ISO/IEC 13818-1, 2.4.3.7).
            guard demuxer.seek(to: ticks.subtracting(seconds * 90_000)) else { continue }
            var last: PacketIndex.Entry?
            while try demuxer.read(into: packet) {
                guard packet.isKey, let pts = packet.pts else { continue }
                if pts > ticks {
                    if last == nil { break }
                    return (last, entry(demuxer))
                }
                last = entry(demuxer)
            }
            if last != nil { return (last, nil) }
        }
        return (nil, nil)
    }

    /// The times of the keyframes that the container lists, as far as it has been read.
    var cueTicks: [Int64] { demuxer?.keyTicks ?? [] }

    /// The duration of a frame at the frame rate, in ticks; 0 where that is unknown.
    func frameLength(in base: Rational) -> Double {
        guard let rate = demuxer?.frameRate else { return 0 }
        return 1 / (rate * base.doubleValue)
    }

    /// The same, rounded up; at least one tick.
    func frameTicks(in base: Rational) -> Int64 {
        let length = frameLength(in: base)
        return length.isFinite && length < 1e12 ? max(1, Int64(length.rounded(.up))) : 1
    }
}
