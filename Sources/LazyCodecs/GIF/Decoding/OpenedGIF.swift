internal import LazyBase
internal import LazyMedia

/// A GIF whose structure is known.
struct OpenedGIF: OpenedMedia {
    let bytes: any ByteSource
    let scan: GIFScan
    let size: PixelSize
    let info: MediaInfo
    private let index: FrameIndex
    /// The first image where it was decompressed already, for the reader that comes first.
    private let first: Taken

    /// Something that one of several may take.
    private final class Taken: Sendable {
        private let job: Locked<GIFImageJob?>

        init(_ job: GIFImageJob?) { self.job = Locked(job) }

        func take() -> GIFImageJob? {
            job.withLock { job in
                defer { job = nil }
                return job
            }
        }
    }

    init(_ bytes: any ByteSource, limits: DecodingLimits) throws(MediaError) {
        guard var scan = try GIFScan(bytes, limits: limits) else {
            throw .noScreenDescriptor(bytes)
        }
        if let size = scan.size {
            try limits.check(canvas: size)
            try Self.dropUndecodable(&scan, bytes, limits)
        }
        guard let size = scan.size, !scan.images.isEmpty else { throw Self.emptiness(scan) }
        try limits.check(canvas: size)
        index = FrameIndex(Self.timings(scan, .browsers))
        self.bytes = bytes
        self.scan = scan
        self.size = size
        let opacity = GIFOpacity.hasAlpha(scan, bytes, limits)
        first = Taken(opacity.first)
        info = Self.info(scan, size, index.duration, hasAlpha: opacity.answer)
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { index }

    /// The decompressed first image, if it is there; only once.
    func takeFirst() -> GIFImageJob? { first.take() }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try GIFFrameReader(self, options)
    }

    /// When each frame is shown, by a rule for short delays.
    func timings(_ rule: DelayRule) -> [FrameTiming] {
        rule == .browsers ? index.timings : Self.timings(scan, rule)
    }

    /// Drops the images from the first one on with which a reader would end.
    ///
    /// Decompresses those without the code of an end, an unterminated one among them: an encoder forgets it in all images
    /// or in none, so that a few tell.
    private static func dropUndecodable(
        _ scan: inout GIFScan, _ bytes: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) {
        if bytes.isPartial {
            if scan.images.last?.isTerminated == false { scan.dropLastImage() }
            return
        }
        let last = scan.images.count - 1
        var suspects = scan.images.indices.filter { !scan.images[$0].hasEndCode }
        let rest = suspects.dropFirst(maxSuspects)
        suspects = suspects.prefix(maxSuspects) + (rest.last == last ? [last] : [])
        guard !suspects.isEmpty else { return }
        var file = try GIFFile(bytes)
        let job = try GIFImageJob()
        let time = limits.opening
        for index in suspects {
            try time.check()
            let image = scan.images[index]
            do throws(MediaError) {
                try job.load(image, index: index, from: &file, limits: limits)
            } catch  where error.code == .limitExceeded && image.isTerminated {
                continue
            }
            job.run(CancellationFlag())
            // One that ends early is shown without the rest, but not the last one, which is cut off.
            guard job.fault != nil || !(job.isWhole || image.isTerminated) else { continue }
            return scan.end(before: index)
        }
    }

    /// So many images without the code of an end are decompressed at most.
    private static let maxSuspects = 64

    private static func emptiness(_ scan: GIFScan) -> MediaError {
        switch scan.damage {
        case .truncated, .noTrailer:
            MediaError(.truncated, "The GIF ends before its first frame does.")
        case .badCode?: scan.damage?.error ?? MediaError(.malformed, "The GIF holds no image.")
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
