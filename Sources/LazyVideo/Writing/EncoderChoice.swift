internal import CFFmpeg
internal import LazyMedia

/// One of FFmpeg's encoders, and how it is to be set up for what is asked.
///
/// | `quality` | x264 crf | VP9 crf | SVT-AV1, libaom crf |
/// |---|---|---|---|
/// | 100 | 14 | 20 | 24 |
/// | 75, the default | 23 | 32 | 36 |
/// | 50 | 32 | 44 | 48 |
/// | 0 | 51 | 63 | 63 |
///
/// | `effort` | x264 preset | VP9 | SVT-AV1 preset | libaom cpu-used |
/// |---|---|---|---|---|
/// | 0 | ultrafast | realtime, cpu-used 8 | 13 | 10, realtime |
/// | 1, 2 | superfast | realtime, 8 | 12 | 10, realtime |
/// | 3, 4, default | veryfast | good, 5 | 10 | 9, realtime |
/// | 5 | faster | good, 4 | 9 | 8, realtime |
/// | 6 | fast | good, 3 | 8 | 6 |
/// | 7 | medium | good, 2 | 7 | 5 |
/// | 8 | slow | good, 1 | 6 | 4 |
/// | 9, 10 | slower, veryslow | good, 0 | 5, 4 | 3, 2 |
struct EncoderChoice {
    /// FFmpeg's name of it.
    let name: String
    /// The library that it needs, for messages.
    let library: String
    /// The codec.
    let codec: VideoCodecChoice
    /// What a frame's pixels are given as.
    let format: AVPixelFormat
    /// The encoder's own options.
    let options: [(String, String)]
    /// Threads it may use.
    let threads: Int

    /// What is known before an encoder is chosen.
    struct Wish {
        /// Width and height, both even.
        var size: PixelSize
        /// Whether alpha is to be kept.
        var hasAlpha = false
        /// Whether pixels are to come back exactly.
        var isLossless = false
        /// How good it is to look, 0 to 100.
        var quality: Double
        /// 0 (fast) to 10 (small).
        var effort: Int
        /// Threads to work on, at least 1.
        var threads: Int
    }

    /// The encoders that can fulfil a wish, the best first.
    static func candidates(_ codec: VideoCodecChoice, _ wish: Wish) -> [EncoderChoice] {
        switch codec {
        case .h264: [x264(wish)]
        case .vp9: [vp9(wish)]
        // SVT-AV1 takes no picture of fewer than 64 columns or rows.
        case .av1:
            min(wish.size.width, wish.size.height) < 64 ? [aom(wish)] : [svt(wish), aom(wish)]
        }
    }

    private static func x264(_ wish: Wish) -> EncoderChoice {
        let presets = [
            "ultrafast", "superfast", "superfast", "veryfast", "veryfast", "faster", "fast",
            "medium", "slow", "slower", "veryslow",
        ]
        let crf = wish.crf(best: 14, usual: 23, worst: 51)
        // Each thread holds a few frames.
        let mostThreads = wish.size.pixelCount > 1280 * 720 ? 4 : 12
        return EncoderChoice(
            name: "libx264", library: "libx264", codec: .h264, format: AV_PIX_FMT_YUV420P,
            options: [
                ("preset", presets[wish.effort]), ("crf", crf), ("forced-idr", "1"),
                ("x264-params", "rc-lookahead=\(wish.lookAhead(10, 40))"),
            ], threads: min(wish.threads + 1, mostThreads))
    }

    private static func vp9(_ wish: Wish) -> EncoderChoice {
        let speeds = [9, 8, 8, 5, 5, 4, 3, 2, 1, 0, 0]
        let crf = wish.isLossless ? "0" : wish.crf(best: 20, usual: 32, worst: 63)
        var options = [
            ("deadline", wish.effort < 3 ? "realtime" : "good"),
            ("cpu-used", "\(min(8, speeds[wish.effort]))"), ("crf", crf), ("b", "0"),
            ("row-mt", "1"),
            ("lag-in-frames", "\(wish.effort < 3 ? 0 : wish.lookAhead(8, 25))"),
            // Two pictures side by side in time do not go together with frames that are not shown.
            ("auto-alt-ref", wish.hasAlpha || wish.effort < 3 ? "0" : "1"),
            ("tile-columns", wish.size.width >= 1024 ? "2" : wish.size.width >= 512 ? "1" : "0"),
        ]
        if wish.isLossless { options.append(("lossless", "1")) }
        let format: AVPixelFormat =
            wish.isLossless
            ? AV_PIX_FMT_GBRP : wish.hasAlpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P
        return EncoderChoice(
            name: "libvpx-vp9", library: "libvpx", codec: .vp9, format: format, options: options,
            threads: min(wish.threads, 8))
    }

    private static func svt(_ wish: Wish) -> EncoderChoice {
        let presets = [13, 12, 12, 10, 10, 9, 8, 7, 6, 5, 4]
        let parameters = "lp=\(min(wish.threads, 4)):lookahead=\(wish.lookAhead(0, 16))"
        return EncoderChoice(
            name: "libsvtav1", library: "libSvtAv1Enc", codec: .av1, format: AV_PIX_FMT_YUV420P,
            options: [
                ("preset", "\(presets[wish.effort])"),
                ("crf", wish.crf(best: 24, usual: 36, worst: 63)), ("svtav1-params", parameters),
            ], threads: wish.threads)
    }

    private static func aom(_ wish: Wish) -> EncoderChoice {
        let speeds = [10, 10, 10, 9, 9, 8, 6, 5, 4, 3, 2]
        let isRealtime = wish.effort < 6
        return EncoderChoice(
            name: "libaom-av1", library: "libaom", codec: .av1, format: AV_PIX_FMT_YUV420P,
            options: [
                ("usage", isRealtime ? "realtime" : "good"),
                ("cpu-used", "\(min(8, speeds[wish.effort]))"),
                ("crf", wish.crf(best: 24, usual: 36, worst: 63)), ("b", "0"), ("row-mt", "1"),
                ("lag-in-frames", isRealtime ? "0" : "\(wish.lookAhead(8, 19))"),
            ], threads: min(wish.threads, 8))
    }
}

extension EncoderChoice.Wish {
    /// The codec's measure of loss for the quality asked for, on two straight lines.
    fileprivate func crf(best: Double, usual: Double, worst: Double) -> String {
        let crf =
            quality >= 75
            ? usual + (best - usual) * (quality - 75) / 25
            : usual + (worst - usual) * (75 - quality) / 75
        return String(Int(crf.rounded()))
    }

    /// Frames to look ahead: few of large frames, since each is held.
    fileprivate func lookAhead(_ large: Int, _ small: Int) -> Int {
        size.pixelCount > 1280 * 720 ? large : small
    }
}
