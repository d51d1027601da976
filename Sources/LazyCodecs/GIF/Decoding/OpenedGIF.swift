internal import LazyMedia

/// A GIF whose structure is known.
struct OpenedGIF: OpenedMedia {
    let bytes: any ByteSource
    let scan: GIFScan
    let size: PixelSize
    let info: MediaInfo
    private let index: FrameIndex

    init(_ bytes: any ByteSource, limits: DecodingLimits) throws(MediaError) {
        guard var scan = try GIFScan(bytes, limits: limits) else {
            throw .noScreenDescriptor(bytes)
        }
        if let size = scan.size, scan.images.last?.isTerminated == false {
            try limits.check(canvas: size)
            let isWhole = bytes.isPartial ? false : try Self.isLastImageWhole(bytes, scan, limits)
            if !isWhole { scan.dropLastImage() }
        }
        guard let size = scan.size, !scan.images.isEmpty else { throw Self.emptiness(scan) }
        try limits.check(canvas: size)
        index = FrameIndex(Self.timings(scan, .browsers))
        self.bytes = bytes
        self.scan = scan
        self.size = size
        info = Self.info(
            scan, size, index.duration, hasAlpha: GIFOpacity.hasAlpha(scan, bytes, limits))
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { index }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try GIFFrameReader(self, options)
    }

    /// When each frame is shown, by a rule for short delays.
    func timings(_ rule: DelayRule) -> [FrameTiming] {
        rule == .browsers ? index.timings : Self.timings(scan, rule)
    }

    /// Decompresses an unterminated image to check whether all its indices are there.
    private static func isLastImageWhole(
        _ bytes: any ByteSource, _ scan: GIFScan, _ limits: DecodingLimits
    ) throws(MediaError) -> Bool {
        guard let image = scan.images.last else { return false }
        var file = try GIFFile(bytes)
        let job = try GIFImageJob()
        try job.load(image, index: scan.images.count - 1, from: &file, limits: limits)
        job.run(CancellationFlag())
        return job.ending == .complete
    }

    private static func emptiness(_ scan: GIFScan) -> MediaError {
        switch scan.damage {
        case .truncated, .noTrailer:
            MediaError(.truncated, "The GIF ends before its first frame does.")
        default:
            MediaError(.malformed, "The GIF holds no image.")
        }
    }

    private static func timings(_ scan: GIFScan, _ rule: DelayRule) -> [FrameTiming] {
        let base = Rational(1, 100)
        let delays = scan.images.map { MediaTime(ticks: Int64($0.delay), base: base) }
        return FrameTiming.sequence(delays, base: base, rule) { scan.images[$0].isKeyframe }
    }

    private static func info(
        _ scan: GIFScan, _ size: PixelSize, _ duration: Duration, hasAlpha: Bool
    ) -> MediaInfo {
        MediaInfo(
            type: .gif, codec: "gif", size: size, frameCount: scan.images.count,
            duration: duration,
            loop: LoopCount(
                raw: scan.loops.first?.number, plays: LoopCount.gif(scan.loops.last?.number).plays),
            hasAlpha: hasAlpha, isTruncated: scan.damage?.isEarlyEnd ?? false,
            warnings: scan.damage.map { [$0.warning] } ?? [],
            streams: [
                StreamInfo(index: 0, kind: .video, codec: "gif", codedSize: size, isChosen: true)
            ])
    }
}
