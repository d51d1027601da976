internal import CFFmpeg
internal import LazyMedia

/// What is known of the chosen stream, and how to make readers of it.
struct VideoStream: Sendable {
    /// The way the bytes are read.
    let container: Container
    /// The number of the stream in its container.
    let index: Int
    /// The codec.
    let codec: AVCodecID
    /// Seconds per tick.
    let timeBase: Rational
    /// How frames are brought upright.
    let orientation: Orientation
    /// Whether the streams must be examined before packets are read.
    let needsExamining: Bool
    /// Whether alpha is stored beside the picture (WebM's `alpha_mode`).
    let hasAlphaBeside: Bool
    /// Whether alpha in the pixel format means nothing.
    let isAlwaysOpaque: Bool
    /// Whether pictures may come out in another order than they are coded in.
    let isReordering: Bool
    /// Whether it is a still picture.
    let isStill: Bool
    /// How H.264's units are told apart.
    var units: NALLayout?
    /// Whether the header lists all packets, which it does not of a movie in fragments.
    var isListed = false
    /// The number of frames and the ticks they take in all, where the header tells both.
    ///
    /// Where frames are decoded in another order than they are shown, FFmpeg gives MP4's packets no
    /// lengths, and only this says how long the last one is shown.
    var told: (count: Int, ticks: Int64)?

    /// Whether the container's tables tell all about the packets but their pictures.
    ///
    /// Of VP8 and VP9 only the bytes tell which packets are shown.
    var canBeSketched: Bool {
        container.kind == .demuxer("mov")
            && [
                AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_MPEG4,
                AV_CODEC_ID_MJPEG, AV_CODEC_ID_PRORES,
            ].contains(codec)
    }

    /// The setup of a decoder for it, beside frames that take so many bytes of memory.
    func setup(threads: Int, limits: DecodingLimits, beside reserved: Int) -> VideoCodec.Setup {
        VideoCodec.Setup(
            // One more than may run: it stands ready while the caller converts, as FFmpeg's own
            // choice of cores + 1 does.
            threads: isStill || threads < 2 ? 1 : threads + 1,
            timeBase: AVRational(
                num: CInt(clamping: timeBase.numerator), den: CInt(clamping: timeBase.denominator)),
            pixels: limits.pixelsPerFrame, memory: limits.memory.map { max(0, $0 - reserved) },
            reserved: reserved, hasAlphaBeside: hasAlphaBeside)
    }

    /// As many threads as wanted, or as go into a quarter of the memory: each has a picture of its own.
    func threads(_ wanted: Int, of size: PixelSize, within limits: DecodingLimits) -> Int {
        guard let memory = limits.memory else { return wanted }
        return max(1, min(wanted, memory / 4 / max(1, size.rgbaByteCount)))
    }
}
