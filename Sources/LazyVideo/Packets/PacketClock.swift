internal import CFFmpeg
internal import LazyMedia

/// One clock for a file whose times restart, jump or wrap: its parts follow one another.
///
/// Joined recordings, split cameras and long transport streams have such times. Where a container's own clock may jump,
/// the rule is that of the `ffmpeg` command (`ts_discontinuity_detect` and `ist_dts_update` in `ffmpeg_demux.c` of 7.1),
/// which sees pictures and sound: both are shifted by what the first packet behind a jump shows. Where several files
/// were joined each begins anew (`RestartingClock`).
struct PacketClock {
    /// A larger distance to the expected time is no gap in a recording, but another clock; in microseconds.
    private static let maxGap: Int64 = 10_000_000
    /// Packets may be this much earlier than the one before; in microseconds.
    private static let tolerance: Int64 = 100_000

    /// A stream that is shown or heard; times in microseconds.
    private struct Track {
        let base: Rational
        /// The length of a packet that does not state its own.
        let length: Int64
        /// The decoding time before the first packet, relative to its presentation time.
        let lead: Int64
        let isVideo: Bool
        var last: Int64?
        var next: Int64?
    }

    private var tracks: [Int: Track] = [:]
    private var offset: Int64 = 0
    private var last: Int64?
    private var shifts = 0
    // In place of all above, where files were joined.
    private var restarts: RestartingClock?

    /// How often times have been shifted.
    var jumps: Int { restarts?.restarts ?? shifts }

    /// Makes a clock for a container, or nil for one whose times do not restart.
    init?(_ format: UnsafePointer<AVFormatContext>, _ joining: JoinedFile) {
        if joining != .no {
            restarts = RestartingClock()
            return
        }
        guard let input = format.pointee.iformat,
            input.pointee.flags & AVFMT_TS_DISCONT != 0
        else { return nil }
    }

    /// Whether packets of a stream are needed.
    func needs(_ stream: Int) -> Bool { restarts?.needs(stream) ?? (tracks[stream] != nil) }

    /// Whether the sound must be followed, too; keyframes alone tell where a joined file begins.
    func needsSound(beside film: UnsafeMutablePointer<AVStream>?) -> Bool {
        restarts == nil || film == nil
    }

    /// The demuxer goes to another place before the first jump, where nothing is known of what comes before.
    mutating func willSeek() {
        restarts?.willSeek()
        (offset, last, shifts) = (0, nil, 0)
        for index in tracks.keys {
            tracks[index]?.last = nil
            tracks[index]?.next = nil
        }
    }

    /// Follows a stream from now on.
    mutating func follow(_ stream: UnsafeMutablePointer<AVStream>) {
        restarts?.follow(stream)
        let index = Int(stream.pointee.index)
        guard restarts == nil, tracks[index]?.next == nil else { return }
        let parameters = stream.pointee.codecpar.pointee
        let isVideo = parameters.codec_type == AVMEDIA_TYPE_VIDEO
        let length = Self.packetLength(stream)
        let delay = isVideo ? Int64(max(0, parameters.video_delay)) : 0
        tracks[index] = Track(
            base: Rational(of: stream), length: length, lead: -delay * length, isVideo: isVideo)
    }

    /// The length of a packet that does not state its own, by its stream; in microseconds.
    static func packetLength(_ stream: UnsafeMutablePointer<AVStream>) -> Int64 {
        let parameters = stream.pointee.codecpar.pointee
        let rate = stream.pointee.avg_frame_rate
        if parameters.codec_type == AVMEDIA_TYPE_VIDEO {
            return rate.num > 0 && rate.den > 0
                ? 1_000_000 * Int64(rate.den) / Int64(rate.num) : 0
        }
        return parameters.sample_rate > 0
            ? 1_000_000 * Int64(parameters.frame_size) / Int64(parameters.sample_rate) : 0
    }

    /// Shifts the times of the next packet of the file; subtitles follow pictures and sound.
    mutating func correct(_ packet: UnsafeMutablePointer<AVPacket>, _ base: Rational) {
        guard restarts == nil else {
            restarts?.correct(packet, base)
            return
        }
        let index = Int(packet.pointee.stream_index)
        Self.shift(packet, by: offset, base)
        guard let track = tracks[index] else { return }
        mend(packet, of: track)
        if packet.pointee.dts != LZ_NOPTS {
            let time = Self.microseconds(packet.pointee.dts, track.base)
            if let delta = jump(of: track, at: time) {
                shifts += 1
                offset = offset.subtracting(delta)
                Self.shift(packet, by: Int64(0).subtracting(delta), track.base)
            }
            last = Self.microseconds(packet.pointee.dts, track.base)
        }
        advance(index, packet)
    }

    /// Repairs a packet whose two times contradict each other: one of them is damaged, and the clock continues.
    private func mend(_ packet: UnsafeMutablePointer<AVPacket>, of track: Track) {
        guard packet.pointee.pts != LZ_NOPTS, packet.pointee.dts != LZ_NOPTS else { return }
        let pts = Self.microseconds(packet.pointee.pts, track.base)
        let dts = Self.microseconds(packet.pointee.dts, track.base)
        // H.264 and HEVC show a picture at most 16 others later.
        let most = max(Self.maxGap, track.length * 20).magnitude
        guard pts.subtracting(dts).magnitude > most else { return }
        guard let next = track.next, dts.subtracting(next).magnitude > most,
            pts.subtracting(next).magnitude <= most
        else {
            packet.pointee.pts = packet.pointee.dts
            return
        }
        packet.pointee.dts = MediaTime(microseconds: next).ticks(of: track.base)
    }

    /// How far a packet is from where its stream is expected, if that is another clock.
    private func jump(of track: Track, at time: Int64) -> Int64? {
        guard let next = track.next else {
            guard let last else { return nil }
            let delta = time.subtracting(last)
            return delta.magnitude > Self.maxGap.magnitude ? delta : nil
        }
        let delta = time.subtracting(next)
        let isEarlier = time.adding(Self.tolerance) < track.last ?? .min
        return delta.magnitude > Self.maxGap.magnitude || isEarlier ? delta : nil
    }

    private mutating func advance(_ index: Int, _ packet: UnsafeMutablePointer<AVPacket>) {
        guard var track = tracks[index] else { return }
        let (dts, pts) = (packet.pointee.dts, packet.pointee.pts)
        if track.next == nil {
            let start = pts == LZ_NOPTS ? 0 : Self.microseconds(pts, track.base)
            track.next = track.lead.adding(start)
        }
        if dts != LZ_NOPTS { track.next = Self.microseconds(dts, track.base) }
        track.last = track.next
        let stated = Self.microseconds(max(0, packet.pointee.duration), track.base)
        // Sound has frames of one size; those of pictures may differ.
        let isStated = track.isVideo ? stated > 0 : track.length == 0
        track.next = track.next?.adding(isStated ? stated : track.length)
        tracks[index] = track
    }

    /// Adds a time in microseconds to those of a packet.
    static func shift(
        _ packet: UnsafeMutablePointer<AVPacket>, by time: Int64, _ base: Rational
    ) {
        guard time != 0 else { return }
        let ticks = MediaTime(microseconds: time).ticks(of: base)
        if packet.pointee.dts != LZ_NOPTS {
            packet.pointee.dts = packet.pointee.dts.adding(ticks)
        }
        if packet.pointee.pts != LZ_NOPTS {
            packet.pointee.pts = packet.pointee.pts.adding(ticks)
        }
    }

    /// Ticks in microseconds.
    static func microseconds(_ ticks: Int64, _ base: Rational) -> Int64 {
        MediaTime(ticks: ticks, base: base).microseconds
    }
}

extension MediaWarning {
    /// What is said about a file whose times were shifted.
    static let clockJump = MediaWarning(
        .clockJump, "The clock of the file restarts or jumps: its parts follow one another.")
}

extension Rational {
    /// The seconds per tick of a stream.
    init(of stream: UnsafeMutablePointer<AVStream>) {
        let base = stream.pointee.time_base
        self.init(Int64(max(1, base.num)), Int64(max(1, base.den)))
    }
}

extension Int64 {
    /// The sum; saturates, since times come from files.
    func adding(_ other: Int64) -> Int64 {
        let (sum, isTooFar) = addingReportingOverflow(other)
        return isTooFar ? (other < 0 ? .min : .max) : sum
    }

    /// The difference; saturates.
    func subtracting(_ other: Int64) -> Int64 {
        let (difference, isTooFar) = subtractingReportingOverflow(other)
        return isTooFar ? (other < 0 ? .max : .min) : difference
    }
}
