internal import LazyMedia

/// Media whose frames are processed as they are decoded; timing and loop are unchanged.
struct ProcessedMedia: MappedMedia {
    let info: MediaInfo
    let base: any OpenedMedia
    private let processor: any ImageProcessing
    private let isPreview: Bool

    init(
        _ base: any OpenedMedia, _ processor: any ImageProcessing, size: PixelSize, hasAlpha: Bool,
        isPreview: Bool
    ) {
        self.base = base
        self.processor = processor
        self.isPreview = isPreview
        var info = base.info
        info.size = size
        info.hasAlpha = info.hasAlpha || hasAlpha
        self.info = info
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try options.limits.check(canvas: info.size)
        var inner = options
        if let scaling = processor as? any WholeScaling, scaling.isOnlyScaling {
            inner.size = options.size ?? info.size
            return try base.makeReader(inner)
        }
        inner.size = nil
        let work = Work(
            processor: processor, size: info.size, wanted: options.size ?? info.size,
            isPreview: isPreview)
        return ProcessedReader(base: try base.makeReader(inner), work, options)
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        guard let picture = try base.embeddedPoster(options) else { return nil }
        do throws(ProcessingError) {
            return try processor.process(picture, context: .init(isPreview: isPreview))
        } catch {
            throw error.asMediaError
        }
    }
}

/// The processing of one frame.
private struct Work {
    let processor: any ImageProcessing
    /// The size of the processed frames.
    let size: PixelSize
    /// The size that the reader's consumer wants.
    let wanted: PixelSize
    let isPreview: Bool

    func picture(of frame: Frame) throws(MediaError) -> Bitmap {
        let context = ProcessingContext(timing: frame.timing, isPreview: isPreview)
        let result: Bitmap
        do throws(ProcessingError) {
            result = try processor.process(frame.bitmap, context: context)
        } catch {
            throw error.asMediaError
        }
        guard result.size == size else {
            throw MediaError(
                .processingFailed,
                "\(processor.identifier) made a frame of \(result.size) where \(size) was due.")
        }
        return try result.scaled(to: wanted)
    }
}

private final class ProcessedReader: MappedReader {
    let base: any FrameReader
    private let work: Work
    private let cancellation: CancellationFlag
    private var budget: DecodingBudget

    init(base: any FrameReader, _ work: Work, _ options: ReaderOptions) {
        self.base = base
        self.work = work
        cancellation = options.cancellation
        // The pixels are counted when they are decoded; only time counts here.
        budget = DecodingBudget(DecodingLimits(decodeTime: options.limits.decodeTime))
    }

    func mapped(_ frame: Frame) throws(MediaError) -> Frame {
        try cancellation.check()
        let clock = ContinuousClock()
        let start = clock.now
        let bitmap = try work.picture(of: frame)
        try budget.spend(time: clock.now - start)
        return frame.replacing(bitmap)
    }

    /// Always nil: only complete frames are processed.
    func lastFrame(at size: PixelSize) -> Frame? { nil }
}
