internal import LazyMedia

/// A HEIC whose items have been read.
struct OpenedHEIC: OpenedMedia {
    let info: MediaInfo
    let source: CodedPictures
    let plan: PicturePlan
    private let motion: MotionPhoto

    init(
        _ bytes: any ByteSource, _ items: HEIFItems, limits: DecodingLimits,
        _ pictures: any CodedPictureDecoding
    ) throws(MediaError) {
        source = CodedPictures(
            bytes: ItemBytes(source: bytes, items: items), pictures: pictures)
        var planner = PicturePlanner(items, source.bytes, limits)
        plan = try planner.plan(items.primary)
        try limits.check(canvas: plan.shown)
        motion = try MotionPhoto(
            bytes, box: items.film, xmp: source.bytes.xmp(most: MotionXMP.maxBytes))
        let codec = plan.codec == .jpeg ? "jpeg" : plan.codec.rawValue
        var info = MediaInfo(
            type: .heic, codec: codec, size: plan.shown, frameCount: 1, duration: .zero,
            hasAlpha: plan.hasAlpha, rotation: plan.view.orientation.quarterTurns * 90,
            isMirrored: plan.view.orientation.isMirrored,
            streams: [
                StreamInfo(
                    index: 0, kind: .video, codec: codec, codedSize: plan.size, isChosen: true)
            ])
        info.color = plan.color
        info.hdrFormat = plan.color.hdrFormat
        info.bitDepth = plan.depth
        info.pixelFormat = plan.pixelFormat
        motion.describe(&info)
        self.info = info
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex([.still]) }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        HEICReader(self, options)
    }

    func motionFilm() throws(MediaError) -> any ByteSource { try motion.filmBytes() }

    /// The thumbnail that suits the size: the smallest that is not smaller, else the largest.
    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        let items = source.bytes.items
        var best: PicturePlan?
        for id in items.references.sources("thmb", of: items.primary).prefix(8) {
            var planner = PicturePlanner(items, source.bytes, options.limits)
            let plan = try planner.plan(id)
            best = Self.better(plan, best, for: options.size)
        }
        guard let best else { return nil }
        let renderer = PictureRenderer(source, options)
        return try renderer.bitmap(of: best, at: options.size ?? best.shown)
    }

    private static func better(
        _ plan: PicturePlan, _ other: PicturePlan?, for size: PixelSize?
    ) -> PicturePlan {
        guard let other else { return plan }
        let isEnough = { (plan: PicturePlan) in
            size.map { plan.shown.width >= $0.width && plan.shown.height >= $0.height } ?? false
        }
        let isLarger = plan.shown.pixelCount > other.shown.pixelCount
        return switch (isEnough(plan), isEnough(other)) {
        case (true, true): isLarger ? other : plan
        case (true, false): plan
        case (false, true): other
        case (false, false): isLarger ? plan : other
        }
    }
}
