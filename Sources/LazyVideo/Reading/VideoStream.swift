internal import CFFmpeg
internal import LazyMedia

/// The properties of the chosen stream, and how to decode it.
struct VideoStream: Sendable {
    /// How the bytes are read.
    let container: Container
    /// The stream's index in its container.
    let index: Int
    /// The codec.
    let codec: AVCodecID
    /// Seconds per tick.
    let timeBase: Rational
    /// The transformation that makes frames upright.
    let orientation: Orientation
    /// Whether the streams must be examined before packets are read.
    let needsExamining: Bool
    /// Whether alpha is stored in a second stream (WebM's `alpha_mode`).
    let hasSeparateAlpha: Bool
    /// Whether the pixel format's alpha is ignored.
    let isAlwaysOpaque: Bool
    /// Whether pictures may be presented in another order than they are coded in.
    let isReordering: Bool
    /// Whether it is a still picture.
    let isStill: Bool
    /// What the samples mean.
    let colors: StreamColors
    /// Whether JPEG 2000 has the block coding of its Part 15.
    var hasHighThroughput = false
    /// How H.264's NAL units are delimited.
    var units: NALLayout?
    /// Whether the header lists all packets; it does not in a fragmented file.
    var isListed = false
    /// Whether the file is several, one behind the other (`JoinedFile`).
    var isJoined = false
    /// The length of which the bit rate was made, where the header does not count the frames.
    var bitRateLength: Duration?
    /// The zero of the film in ticks (`FilmStart`); nil where it is the first frame.
    var zero: Int64?
    /// How much later than the zero of the sound that is, in ticks (`FilmStart`).
    var lead: Int64 = 0
    /// What the ends of a long recording tell, so that times are found without the rest.
    var ends: RecordingEnds?
    /// The number of frames and their total duration in ticks, where the header has both.
    ///
    /// For reordered frames FFmpeg's packets of MP4 have no durations, and only this gives that of the
    /// last frame.
    var declared: (count: Int, ticks: Int64)?
    /// The ticks at which the last frame ends by its container, or nil where its packet tells.
    ///
    /// Theora repeats a frame by an empty packet. FFmpeg hands out none of those at the end of an Ogg.
    var end: Int64?

    /// Whether the container's tables tell everything about the packets.
    ///
    /// For VP8 and VP9 only the bytes tell which packets are shown.
    var hasReliableTables: Bool {
        container.kind == .demuxer("mov") && Self.listedCodecs.contains(codec)
    }

    /// The codecs of which each packet of a table is a picture.
    static let listedCodecs: Set<AVCodecID> = [
        AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_MPEG4,
        AV_CODEC_ID_MJPEG, AV_CODEC_ID_PRORES,
    ]

    /// The setup of its decoder, with this many bytes of memory reserved for frames.
    ///
    /// Where every picture is decoded there is one thread more than can run, which waits while the caller converts, as
    /// with FFmpeg's own choice of cores + 1. For a single frame it would only decode pictures after that one. dav1d's
    /// threads share the work on a picture, and a third one makes two wait.
    func setup(
        threads: Int, decodesAll: Bool, limits: DecodingLimits, beside reserved: Int
    ) -> VideoCodec.Setup {
        let spare = decodesAll && codec != AV_CODEC_ID_AV1 ? 1 : 0
        return VideoCodec.Setup(
            threads: isStill || threads < 2 ? 1 : threads + spare,
            timeBase: AVRational(
                num: CInt(clamping: timeBase.numerator), den: CInt(clamping: timeBase.denominator)),
            pixels: limits.pixelsPerFrame,
            memory: (isStill ? limits.memory : limits.filmMemory).map { max(0, $0 - reserved) },
            reserved: reserved, film: isStill ? nil : limits, hasSeparateAlpha: hasSeparateAlpha,
            hasHighThroughput: hasHighThroughput)
    }

    /// The requested threads, or those that fit into a quarter of the memory: each has its own picture.
    func threads(_ wanted: Int, of size: PixelSize, within limits: DecodingLimits) -> Int {
        guard let memory = limits.memory else { return wanted }
        return max(1, min(wanted, memory / 4 / max(1, size.rgbaByteCount)))
    }
}
