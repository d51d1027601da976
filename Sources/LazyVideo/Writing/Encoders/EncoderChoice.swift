internal import CFFmpeg
internal import LazyMedia

/// One of FFmpeg's encoders, and its configuration for a request.
///
/// | `quality` | x264 crf | VP9 crf | SVT-AV1, libaom crf |
/// |---|---|---|---|
/// | 100 | 14 | 20 | 24 |
/// | 75, the default | 24.1, of other efforts than 3 and 4 24.25 | 32 | 36 |
/// | 50 | 33.25 | 42 | 45 |
/// | 0 | 51 | 63 | 63 |
///
/// | `effort` | x264 preset | VP9 | SVT-AV1 preset | libaom cpu-used |
/// |---|---|---|---|---|
/// | 0 | ultrafast | realtime, cpu-used 8 | 13 | realtime, 8 |
/// | 1, 2 | superfast | realtime, 7, 6 | 12 | realtime, 8 |
/// | 3, 4, the default | veryfast | good, 5 | 10 | realtime, 8, 7 |
/// | 5 | faster | good, 4 | 9 | realtime, 6 |
/// | 6 | fast | good, 3 | 8 | good, 6 |
/// | 7 | medium | good, 2 | 7 | good, 5 |
/// | 8 | slow | good, 1 | 6 | good, 4 |
/// | 9, 10 | slower, veryslow | good, 0 | 5, 4 | good, 3, 2 |
///
/// Above 1280 x 720 pixels few frames are held at a time: encoders look ahead little, and libaom works
/// in its realtime mode.
struct EncoderChoice {
    /// The encoder's name in FFmpeg.
    let name: String
    /// The library that it needs, for messages.
    let library: String
    /// The codec.
    let codec: VideoCodecChoice
    /// The pixel format of its input.
    let format: AVPixelFormat
    /// The encoder's own options.
    let options: [(String, String)]
    /// The number of threads.
    let threads: Int

    /// The mutex to hold while encoding, where only one encoder of the kind may be open.
    ///
    /// SVT-AV1 1.4 crashes where several of its encoders are open at once.
    var mutex: AsyncMutex? { name == "libsvtav1" ? .shared(named: "SVT-AV1") : nil }

    /// The request, known before an encoder is chosen.
    struct Request {
        /// Width and height, both even.
        var size: PixelSize
        /// Whether alpha is kept.
        var hasAlpha = false
        /// Whether pixels are preserved exactly.
        var isLossless = false
        /// The visual quality, 0 to 100.
        var quality: Double
        /// The effort, 0 (fast) to 10 (small).
        var effort: Int
        /// Threads to use, at least 1.
        var threads: Int
    }

    /// The encoders for a request, the best first.
    static func candidates(_ codec: VideoCodecChoice, _ request: Request) -> [EncoderChoice] {
        switch codec {
        case .h264: [x264(request)]
        case .vp9: [vp9(request)]
        // SVT-AV1 1.4 crashes where several encoders are opened at once, and rejects pictures of fewer than
        // 64 columns or rows: it is the second choice.
        case .av1:
            min(request.size.width, request.size.height) < 64
                ? [aom(request)] : [aom(request), svt(request)]
        }
    }

    private static func x264(_ request: Request) -> EncoderChoice {
        let presets = [
            "ultrafast", "superfast", "superfast", "veryfast", "veryfast", "faster", "fast",
            "medium", "slow", "slower", "veryslow",
        ]
        return EncoderChoice(
            name: "libx264", library: "libx264", codec: .h264, format: AV_PIX_FMT_YUV420P,
            options: [
                ("preset", presets[request.effort]),
                ("crf", request.crf(best: 14, usual: request.isQuick ? 24.1 : 24.25, worst: 51)),
                ("forced-idr", "1"),
                ("x264-params", x264Parameters(request)),
            ],
            threads: min(request.isLarge ? request.threads : request.threads + 1, 12))
    }

    /// Options that make small clips smaller at the same quality than the presets do.
    ///
    /// A longer look-ahead, more B-frames and finer chroma, compensated by a higher crf; and no bits for
    /// grain, which in animations is mostly dither. The default preset searches motion less widely with
    /// a crf lower by a quarter: the same quality in a third less time.
    ///
    /// For large frames x264 holds few, because each takes ten megabytes at 1080p, and its threads share
    /// one frame.
    private static func x264Parameters(_ request: Request) -> String {
        let common = "psy=0:chroma-qp-offset=-6"
        if request.isLarge {
            return common + ":rc-lookahead=3:bframes=1:ref=1:sync-lookahead=0:sliced-threads=1"
                + (request.isDefaultEffort ? ":subme=3" : "")
        }
        guard request.isQuick else {
            return common + ":rc-lookahead=\(request.lookAhead(most: 30))"
        }
        return common + ":rc-lookahead=\(request.lookAhead(most: 20))"
            + ":bframes=5:ref=2:subme=2:me=dia:partitions=i4x4,i8x8"
    }

    private static func vp9(_ request: Request) -> EncoderChoice {
        let speeds = [8, 7, 6, 5, 5, 4, 3, 2, 1, 0, 0]
        let crf = request.isLossless ? "0" : request.wholeCRF(best: 20, usual: 32, worst: 63)
        let looksAhead = request.effort > 2 && !request.isLarge
        var options = [
            ("deadline", request.effort < 3 ? "realtime" : "good"),
            ("cpu-used", "\(speeds[request.effort])"), ("crf", crf), ("b", "0"), ("row-mt", "1"),
            ("lag-in-frames", looksAhead ? "\(request.lookAhead(most: 25))" : "0"),
            // Alpha requires that every coded frame is shown: no alternate reference frames.
            ("auto-alt-ref", looksAhead && !request.hasAlpha ? "1" : "0"),
            (
                "tile-columns",
                request.size.width >= 1024 ? "2" : request.size.width >= 512 ? "1" : "0"
            ),
        ]
        if request.isLossless { options.append(("lossless", "1")) }
        let format: AVPixelFormat =
            request.isLossless
            ? AV_PIX_FMT_GBRP : request.hasAlpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P
        return EncoderChoice(
            name: "libvpx-vp9", library: "libvpx", codec: .vp9, format: format, options: options,
            threads: min(request.threads, 8))
    }

    private static func svt(_ request: Request) -> EncoderChoice {
        let presets = [13, 12, 12, 10, 10, 9, 8, 7, 6, 5, 4]
        let parameters = "lp=\(min(request.threads, 4)):lookahead=\(request.lookAhead(most: 16))"
        return EncoderChoice(
            name: "libsvtav1", library: "libSvtAv1Enc", codec: .av1, format: AV_PIX_FMT_YUV420P,
            options: [
                ("preset", "\(presets[request.effort])"),
                ("crf", request.wholeCRF(best: 24, usual: 36, worst: 63)),
                ("svtav1-params", parameters),
            ], threads: request.threads)
    }

    private static func aom(_ request: Request) -> EncoderChoice {
        let speeds = [8, 8, 8, 8, 7, 6, 6, 5, 4, 3, 2]
        let isRealtime = request.effort < 6 || request.isLarge
        return EncoderChoice(
            name: "libaom-av1", library: "libaom", codec: .av1, format: AV_PIX_FMT_YUV420P,
            options: [
                ("usage", isRealtime ? "realtime" : "good"),
                ("cpu-used", "\(speeds[request.effort])"),
                ("crf", request.wholeCRF(best: 24, usual: 36, worst: 63)), ("b", "0"),
                ("row-mt", "1"),
                ("lag-in-frames", isRealtime ? "0" : "\(request.lookAhead(most: 19))"),
            ], threads: min(request.threads, 8))
    }
}

extension EncoderChoice.Request {
    /// The codec's crf for a quality, on two straight lines.
    fileprivate func crf(best: Double, usual: Double, worst: Double) -> String {
        let pivot = DefaultQuality.standard
        let crf =
            quality >= pivot
            ? usual + (best - usual) * (quality - pivot) / (100 - pivot)
            : usual + (worst - usual) * (pivot - quality) / pivot
        return String((crf * 20).rounded() / 20)
    }

    /// The same for codecs with integral crf.
    fileprivate func wholeCRF(best: Double, usual: Double, worst: Double) -> String {
        String(Int((Double(crf(best: best, usual: usual, worst: worst)) ?? usual).rounded()))
    }

    fileprivate var isLarge: Bool { size.isLarge }

    /// Whether the effort is the default or equivalent to it.
    fileprivate var isDefaultEffort: Bool { effort == 3 || effort == 4 }

    /// Whether x264 is to be faster than its preset.
    fileprivate var isQuick: Bool { isDefaultEffort && !isLarge }

    /// Frames to look ahead: few large ones, because several copies of each are held.
    fileprivate func lookAhead(most: Int) -> Int {
        min(most, max(3, 14_000_000 / size.pixelCount))
    }
}
