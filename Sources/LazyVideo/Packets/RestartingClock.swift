internal import CFFmpeg
internal import LazyMedia

/// The clock of files that were joined: a part begins where the one before ends.
///
/// A part is told by its first keyframe: within a recording a keyframe is shown after all that comes before it in the file.
/// Gaps between pictures are no restarts: a recording of slides has pauses of minutes. Decoding times are not looked at,
/// because FFmpeg makes up those of Matroska.
struct RestartingClock {
    /// A stream that tells where parts begin; times in microseconds.
    private struct Track {
        let base: Rational
        let isVideo: Bool
        /// The length of a packet that does not state its own.
        let length: Int64
        /// When the latest packet of the part is shown, as the container says.
        var latest: Int64?

        /// Whether a packet that decoding can begin with belongs to another part.
        ///
        /// Packets of sound overlap where programs cut them badly.
        func begins(at time: Int64) -> Bool {
            guard let latest else { return false }
            return isVideo ? time <= latest : time.adding(100_000) < latest
        }
    }

    private var tracks: [Int: Track] = [:]
    private var offset: Int64 = 0
    /// When what has been read ends, and when the picture before was shown.
    private var (end, last): (Int64, Int64?) = (.min, nil)
    /// How often times have been shifted.
    private(set) var restarts = 0

    /// Whether packets of a stream are needed.
    func needs(_ stream: Int) -> Bool { tracks[stream] != nil }

    /// Follows a stream from now on.
    mutating func follow(_ stream: UnsafeMutablePointer<AVStream>) {
        let index = Int(stream.pointee.index)
        guard tracks[index] == nil else { return }
        tracks[index] = Track(
            base: Rational(of: stream),
            isVideo: stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
            length: PacketClock.packetLength(stream))
    }

    /// Forgets where the demuxer was, which goes to another place of the first part.
    mutating func willSeek() {
        (offset, end, last, restarts) = (0, .min, nil, 0)
        for index in tracks.keys { tracks[index]?.latest = nil }
    }

    /// Shifts the times of the next packet of the file.
    mutating func correct(_ packet: UnsafeMutablePointer<AVPacket>, _ base: Rational) {
        let index = Int(packet.pointee.stream_index)
        let ticks = packet.pointee.pts == LZ_NOPTS ? packet.pointee.dts : packet.pointee.pts
        guard let track = tracks[index], ticks != LZ_NOPTS else {
            return PacketClock.shift(packet, by: offset, base)
        }
        let time = PacketClock.microseconds(ticks, base)
        if !track.isVideo || packet.pointee.flags & AV_PKT_FLAG_KEY != 0 {
            if track.begins(at: time) { restart(at: time) }
        }
        let latest = tracks[index]?.latest ?? time
        tracks[index]?.latest = max(time, latest)
        PacketClock.shift(packet, by: offset, base)
        let shown = time.adding(offset)
        var length = PacketClock.microseconds(max(0, packet.pointee.duration), base)
        if length == 0 { length = track.length }
        if length == 0, let last { length = max(0, shown.subtracting(last)) }
        (end, last) = (max(end, shown.adding(length)), shown)
    }

    private mutating func restart(at time: Int64) {
        restarts += 1
        offset = end.subtracting(time)
        for index in tracks.keys { tracks[index]?.latest = nil }
    }
}
