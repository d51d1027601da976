internal import CFFmpeg
internal import LazyMedia

/// How FFmpeg reads a media type.
struct Container: Hashable, Sendable {
    /// The kinds of reading.
    enum Kind: Hashable, Sendable {
        /// With a named demuxer; nothing is probed.
        case demuxer(String)
        /// With a decoder whose one packet is the whole file.
        case still(UInt32)
    }
    /// The kind of reading.
    let kind: Kind
    /// Whether packet times equal those of decoded frames, so that counting needs no decoding.
    var hasExactTimes = false
    /// Whether seeking with the demuxer can work.
    var isSeekable = false

    /// The way to read a type, or nil where there is none.
    init?(_ type: MediaType) {
        if let name = Self.exactDemuxers[type] {
            self.init(kind: .demuxer(name), hasExactTimes: true)
            isSeekable = name == "mov" || name == "matroska"
        } else if let name = Self.otherDemuxers[type] {
            self.init(kind: .demuxer(name))
        } else if let codec = Self.stillCodecs[type] {
            self.init(kind: .still(codec.rawValue))
        } else {
            return nil
        }
    }

    /// The codec that all files of a type have, or nil.
    func onlyCodec(of type: MediaType) -> AVCodecID? {
        if case .still(let codec) = kind { return AVCodecID(codec) }
        return type == .heicSequence ? AV_CODEC_ID_HEVC : nil
    }

    private init(kind: Kind, hasExactTimes: Bool = false) {
        self.kind = kind
        self.hasExactTimes = hasExactTimes
    }

    private static let exactDemuxers: [MediaType: String] = [
        .mp4: "mov", .m4v: "mov", .mov: "mov", .heicSequence: "mov", .webm: "matroska",
        .matroska: "matroska", .apng: "apng", .y4m: "yuv4mpegpipe", .flv: "flv", .ivf: "ivf",
        .m4a: "mov", .matroskaAudio: "matroska", .nut: "nut", .dv: "dv", .mjpeg: "mjpeg",
        .av1: "obu", .av1AnnexB: "av1",
    ]

    // Packets here lack times, contain several pictures or begin anywhere: only decoding can count.
    private static let otherDemuxers: [MediaType: String] = [
        .avi: "avi", .ogg: "ogg", .mpegTS: "mpegts", .mpegPS: "mpeg", .asf: "asf", .mxf: "mxf",
        .realMedia: "rm", .dhav: "dhav", .swf: "swf", .h264: "h264", .hevc: "hevc",
        .mpegVideo: "mpegvideo",
        .mpeg4Video: "m4v", .oggAudio: "ogg", .wma: "asf", .mp3: "mp3", .aac: "aac", .flac: "flac",
        .wav: "wav", .aiff: "aiff", .ape: "ape", .wavPack: "wv", .trueAudio: "tta",
    ]

    /// The types of containers with pictures and without, where they differ in name.
    private static let songTypes: [(film: MediaType, song: MediaType)] = [
        (.mp4, .m4a), (.m4v, .m4a), (.mov, .m4a), (.ogg, .oggAudio), (.asf, .wma),
        (.matroska, .matroskaAudio),
    ]

    /// What a file is called that was taken for one type, and has pictures or has none.
    static func type(_ type: MediaType, hasVideo: Bool) -> MediaType {
        let pair = songTypes.first { hasVideo ? $0.song == type : $0.film == type }
        return pair.map { hasVideo ? $0.film : $0.song } ?? type
    }

    /// Whether packets have times.
    var isTimed: Bool {
        guard case .demuxer(let name) = kind else { return true }
        return !Demuxer.bareStreams.contains(name)
    }

    // Not TIFF, BMP, ICO and AVIF: what their own readers refuse, FFmpeg may show wrong, because it
    // ignores the format of samples, the header of OS/2, and alpha in another track.
    private static let stillCodecs: [MediaType: AVCodecID] = [
        .jpeg: AV_CODEC_ID_MJPEG, .webp: AV_CODEC_ID_WEBP, .jpeg2000: AV_CODEC_ID_JPEG2000,
        // Its decoder reads every kind of map.
        .pnm: AV_CODEC_ID_PPM, .qoi: AV_CODEC_ID_QOI,
    ]
}
