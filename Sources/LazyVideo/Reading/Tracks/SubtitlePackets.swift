internal import CFFmpeg
internal import LazyMedia

/// Makes lines of ASS of the packets of a track.
protocol SubtitlePacketReading: AnyObject {
    /// The sections of the script before its lines.
    var header: String { get }

    /// The lines of a packet; nil where it is damaged.
    func decode(_ packet: Packet) -> DecodedSubtitles?
}

/// The texts of a packet, and when they are shown.
struct DecodedSubtitles {
    /// In microseconds.
    var start: Int64 = 0
    /// In milliseconds.
    var duration: Int64 = 0
    var texts: [String] = []
}

/// Reads the packets of SubRip and WebVTT as files of these formats are read.
private final class CuePackets: SubtitlePacketReading {
    private let format: CueFormat
    private let base: Rational
    private var count = 0

    init(_ format: CueFormat, _ base: AVRational) {
        self.format = format
        self.base = Rational(Int64(max(1, base.num)), Int64(max(1, base.den)))
    }

    let header = CueFormat.header

    func decode(_ packet: Packet) -> DecodedSubtitles? {
        guard let pts = packet.pts, String(validating: packet.bytes, as: UTF8.self) != nil else {
            return nil
        }
        let start = seconds(pts) * 1_000_000
        // A year is longer than any film.
        guard start.magnitude < 1e15 else { return nil }
        count += 1
        let length = Int64(min((seconds(packet.duration) * 1000).rounded(), 1e12))
        // A zero ends the text.
        let text = Array(packet.bytes.prefix { $0 != 0 })
        let line = format.line(
            text[...], Array(packet.cueSettings)[...], number: count, start: 0, duration: length)
        guard let line else { return DecodedSubtitles() }
        return DecodedSubtitles(
            start: Int64(start.rounded()), duration: length, texts: [line.text])
    }

    private func seconds(_ ticks: Int64) -> Double {
        Double(ticks) * Double(base.numerator) / Double(base.denominator)
    }
}

extension UnsafeMutablePointer<AVStream> {
    /// What reads the packets of a stream of subtitles; throws `.unsupported` where this FFmpeg has no decoder.
    func makeSubtitleReader() throws(MediaError) -> any SubtitlePacketReading {
        switch pointee.codecpar.pointee.codec_id {
        case AV_CODEC_ID_SUBRIP: CuePackets(.subRip, pointee.time_base)
        case AV_CODEC_ID_WEBVTT: CuePackets(.webVTT, pointee.time_base)
        default: try SubtitleDecoder(self)
        }
    }
}

extension Packet {
    /// What a cue of WebVTT has behind its times; valid as long as `bytes`.
    fileprivate var cueSettings: UnsafeBufferPointer<UInt8> {
        var size = 0
        let data = lz_packet_side_data(pointer, AV_PKT_DATA_WEBVTT_SETTINGS, &size)
        return UnsafeBufferPointer(start: data, count: data == nil ? 0 : size)
    }
}
