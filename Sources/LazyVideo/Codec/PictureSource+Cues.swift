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

    /// Seeks to the keyframe at or before a time, or returns nil.
    func startByCues(at ticks: Int64) throws(MediaError) -> PacketIndex.Entry? {
        guard let demuxer, demuxer.seek(to: ticks), try demuxer.read(into: packet), packet.isKey
        else { return nil }
        let units = codecID == AV_CODEC_ID_H264 ? NALLayout(extradata: demuxer.extradata) : nil
        let entry = PacketIndex.Entry(
            number: 1, pts: packet.pts, dts: packet.dts, size: packet.size,
            position: packet.position, isClean: units?.containsIDR(packet.bytes) ?? true)
        try demuxer.putBack(packet)
        // The position is known only not to be the start.
        didSeek(to: 1)
        run.begin(at: .time(ticks))
        return entry
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
