internal import LazyMedia

/// Hands out the frames of an AVIF.
final class AVIFReader: FrameReader {
    private let media: OpenedAVIF
    private let timings: [FrameTiming]
    private let options: ReaderOptions
    private let handle: DecoderHandle
    private let scaler: BitmapScaler?
    private var budget: DecodingBudget
    /// Pixels before they are cropped, turned or scaled.
    private var coded: [UInt32] = []
    private var upright: [UInt32] = []
    private var next = 0
    /// The frame that libavif has decoded last, or -1.
    private var decoded = -1
    private var end: Int
    private(set) var warnings: [MediaWarning] = []

    init(_ media: OpenedAVIF, _ options: ReaderOptions) throws(MediaError) {
        self.media = media
        self.options = options
        timings = media.timings(options.delayRule)
        end = timings.count
        budget = DecodingBudget(options.limits)
        try options.limits.check(canvas: media.shape.coded)
        handle = try DecoderHandle(
            media.bytes, hiding: media.hidden, limits: options.limits, threads: options.threads,
            cancellation: options.cancellation)
        let shown = media.shape.shown
        scaler = options.size.flatMap { $0 == shown ? nil : BitmapScaler(from: shown, to: $0) }
    }

    func nextFrame() throws(MediaError) -> Frame? {
        try options.cancellation.check()
        while options.keyframesOnly, next < end, !timings[next].isKeyframe { next += 1 }
        guard next < end else { return nil }
        let clock = ContinuousClock()
        let start = clock.now
        let bitmap: Bitmap
        do throws(MediaError) {
            try reach(next)
            bitmap = try shown()
        } catch  where next > 0 && [.malformed, .truncated].contains(error.code) {
            warnings.append(
                MediaWarning(error.code == .truncated ? .truncated : .malformed, error.message))
            end = next
            return nil
        }
        try budget.spend(time: clock.now - start)
        defer { next += 1 }
        return Frame(bitmap: bitmap, timing: timings[next])
    }

    func seek(toIndex index: Int) throws(MediaError) { next = min(max(0, index), timings.count) }

    func seek(toTime time: Duration) throws(MediaError) {
        next = FrameIndex(timings).frame(at: time) ?? 0
    }

    /// Decodes up to a frame, from the keyframe before it where that is nearer.
    private func reach(_ wanted: Int) throws(MediaError) {
        if decoded == wanted { return }
        let key = timings[...wanted].lastIndex(where: \.isKeyframe) ?? 0
        var index = decoded >= 0 && decoded < wanted && key <= decoded ? decoded + 1 : key
        decoded = -1
        while index <= wanted {
            try options.cancellation.check()
            try budget.spend(frame: media.shape.coded)
            try handle.decode(index)
            index += 1
        }
        decoded = wanted
    }

    private func shown() throws(MediaError) -> Bitmap {
        let shape = media.shape
        let isOpaque = !media.info.hasAlpha
        if shape.isPlain, scaler == nil {
            return try Bitmap(size: shape.coded, isOpaque: isOpaque) { (rows) throws(MediaError) in
                try handle.convert(into: rows, size: shape.coded)
            }
        }
        try convert()
        guard let scaler else {
            return try Bitmap(size: shape.shown, isOpaque: isOpaque) { rows in turn(into: rows) }
        }
        if !shape.isPlain {
            if upright.isEmpty { upright = Array(repeating: 0, count: shape.shown.pixelCount) }
            var pixels = upright
            upright = []
            pixels.withUnsafeMutableBytes { turn(into: $0) }
            upright = pixels
        }
        return try Bitmap(size: scaler.target, isOpaque: isOpaque) { rows in
            (shape.isPlain ? coded : upright).withUnsafeBytes {
                scaler.scale(
                    $0, stride: shape.shown.width * 4, isOpaque: isOpaque, into: rows)
            }
        }
    }

    private func convert() throws(MediaError) {
        if coded.isEmpty { coded = Array(repeating: 0, count: media.shape.coded.pixelCount) }
        let size = media.shape.coded
        let result = coded.withUnsafeMutableBytes { rows in
            Result { () throws(MediaError) in try handle.convert(into: rows, size: size) }
        }
        try result.get()
    }

    private func turn(into rows: UnsafeMutableRawBufferPointer) {
        let shape = media.shape
        coded.withUnsafeBytes { coded in
            guard let start = coded.baseAddress else { return }
            let stride = shape.coded.width * 4
            shape.orientation.copy(
                start + shape.crop.y * stride + shape.crop.x * 4, stride: stride,
                size: PixelSize(width: shape.crop.width, height: shape.crop.height), into: rows)
        }
    }
}
