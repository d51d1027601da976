internal import CFFmpeg
internal import LazyMedia

/// How a media type is read with FFmpeg.
struct Container: Hashable, Sendable {
    /// The ways to read.
    enum Kind: Hashable, Sendable {
        /// Through a demuxer of this name, which is forced: nothing is probed.
        case demuxer(String)
        /// All bytes are one packet for this decoder.
        case still(UInt32)
    }
    /// The way to read.
    let kind: Kind
    /// Whether packet times are what the decoder will say, so that no decoding is needed to count.
    var hasExactTimes = false
    /// Whether a demuxer's seek to a time is worth a try.
    var isSeekable = false

    /// The way for a type, or nil where FFmpeg 5.1 has none.
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

    private init(kind: Kind, hasExactTimes: Bool = false) {
        self.kind = kind
        self.hasExactTimes = hasExactTimes
    }

    private static let exactDemuxers: [MediaType: String] = [
        .mp4: "mov", .m4v: "mov", .mov: "mov", .avif: "mov", .avifSequence: "mov", .heic: "mov",
        .heicSequence: "mov", .webm: "matroska", .matroska: "matroska", .apng: "apng",
        .y4m: "yuv4mpegpipe", .flv: "flv", .ivf: "ivf",
    ]

    // Packets here lack times, hold several pictures or begin anywhere: only decoding can count.
    private static let otherDemuxers: [MediaType: String] = [
        .avi: "avi", .ogg: "ogg", .mpegTS: "mpegts", .mpegPS: "mpeg", .asf: "asf", .ico: "ico",
    ]

    private static let stillCodecs: [MediaType: AVCodecID] = [
        .jpeg: AV_CODEC_ID_MJPEG, .webp: AV_CODEC_ID_WEBP, .bmp: AV_CODEC_ID_BMP,
        .tiff: AV_CODEC_ID_TIFF, .jpeg2000: AV_CODEC_ID_JPEG2000, .jpegXL: AV_CODEC_ID_JPEGXL,
    ]
}
