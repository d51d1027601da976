internal import LazyMedia

/// Reads the composed frames of a GIF.
final class GIFFrameReader: FrameReader {
    private let media: OpenedGIF
    private let options: ReaderOptions
    private let timings: [FrameTiming]
    private let canvas: GIFCanvas
    private let scaler: BitmapScaler?
    private let source: GIFImageSource
    private var budget: DecodingBudget
    private let clock = ContinuousClock()
    /// When the work began that has not been charged to the budget yet.
    private var began = ContinuousClock.now
    /// The frame that comes next.
    private var position = 0
    /// The frame whose predecessor stands on the canvas.
    private var composable: Int?
    /// The first frame that cannot be had, or the number of frames.
    private var end: Int
    /// Images that would cover the canvas if their data were all there.
    private var leaky: Set<Int> = []
    /// Images that were reported to end early.
    private var short: Set<Int> = []
    private(set) var warnings: [MediaWarning]

    /// Makes a reader; `leastWork` is what makes threads worth starting.
    init(
        _ media: OpenedGIF, _ options: ReaderOptions, leastWork: Int = GIFImageSource.leastWork
    ) throws(MediaError) {
        self.media = media
        self.options = options
        timings = media.timings(options.delayRule)
        // What is shown, and what is to be shown again after the next frame.
        try options.limits.check(canvases: 2, of: media.size)
        canvas = try GIFCanvas(size: media.size)
        scaler = options.size.flatMap {
            $0 == media.size ? nil : BitmapScaler(from: media.size, to: $0)
        }
        source = try GIFImageSource(media, options, leastWork: leastWork)
        budget = DecodingBudget(options.limits)
        end = media.scan.images.count
        warnings = media.info.warnings
    }

    func nextFrame() throws(MediaError) -> Frame? {
        if options.keyframesOnly {
            while position < end, !timings[position].isKeyframe { position += 1 }
        }
        guard position < end else { return nil }
        try options.cancellation.check()
        try budget.spend(frame: media.size)
        began = clock.now
        guard try compose(position) else { return nil }
        let frame = Frame(bitmap: try bitmap(scaler), timing: timings[position])
        position += 1
        try spendTime()
        return frame
    }

    /// The canvas still shows it.
    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        guard let composable, composable > 0 else { return nil }
        try options.limits.check(canvas: size)
        let scaler = size == media.size ? nil : BitmapScaler(from: media.size, to: size)
        return Frame(bitmap: try bitmap(scaler), timing: timings[composable - 1])
    }

    func seek(toIndex index: Int) { position = max(0, min(index, end)) }

    func seek(toTime time: Duration) {
        position = min(end, FrameIndex(timings).frame(at: time) ?? 0)
    }

    // MARK: - Composing

    /// Draws a frame; false where damage ends the sequence before it.
    private func compose(_ target: Int) throws(MediaError) -> Bool {
        // One image that leaks makes the others suspect: trying each of them in turn would be
        // quadratic.
        var trustsCovers = true
        while true {
            let plan = GIFSeekPlan(to: target, from: composable, images: media.scan.images) {
                let image = media.scan.images[$0]
                return image.startsBlank
                    || (trustsCovers && image.isKeyframe && !leaky.contains($0))
            }
            if plan.startsBlank {
                canvas.reset()
                composable = 0
            }
            switch try draw(plan.steps + [.draw(target)], onBlank: plan.startsBlank) {
            case .drawn:
                composable = target + 1
                return true
            case .damaged(let error, let index):
                composable = nil
                try stop(at: index, error)
                return false
            case .leaky(let index):
                composable = nil
                leaky.insert(index)
                trustsCovers = false
                try spendTime()
            }
        }
    }

    private func spendTime() throws(MediaError) {
        let now = clock.now
        try budget.spend(time: now - began)
        began = now
    }

    private enum Outcome {
        case drawn
        case damaged(MediaError, Int)
        case leaky(Int)
    }

    private func draw(_ steps: [GIFSeekPlan.Step], onBlank: Bool) throws(MediaError) -> Outcome {
        for (number, step) in steps.enumerated() {
            try options.cancellation.check()
            switch step {
            case .clear(let index):
                try canvas.skipClearing(media.scan.images[index])
            case .draw(let index):
                let job = try source.image(index)
                if let fault = job.fault { return .damaged(fault, index) }
                if !job.isWhole { warnOfShort(index) }
                let isFirst = onBlank && number == 0 && !media.scan.images[index].startsBlank
                if isFirst, !job.isWhole { return .leaky(index) }
                try job.show(on: canvas)
                try spendTime()
            }
        }
        return .drawn
    }

    private func stop(at index: Int, _ error: MediaError) throws(MediaError) {
        guard error.code != .cancelled, error.code != .environment, index > 0 else { throw error }
        end = min(end, index)
        warn(error.code == .truncated ? .truncated : .malformed, error.message)
    }

    /// Names the first few: a file may hold any number of them.
    private func warnOfShort(_ index: Int) {
        guard short.count < 16, short.insert(index).inserted else { return }
        warn(.malformed, "Image \(index) of the GIF ends early.")
    }

    private func warn(_ code: MediaWarning.Code, _ message: String) {
        let warning = MediaWarning(code, message)
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    private func bitmap(_ scaler: BitmapScaler?) throws(MediaError) -> Bitmap {
        guard let scaler else { return try canvas.lend() }
        let isOpaque = canvas.isOpaque
        let canvas = canvas
        return try Bitmap(size: scaler.target, isOpaque: isOpaque) { rows throws(MediaError) in
            try canvas.withBytes { bytes in
                scaler.scale(
                    bytes, stride: scaler.source.width * 4, isOpaque: isOpaque, into: rows)
            }
        }
    }
}
