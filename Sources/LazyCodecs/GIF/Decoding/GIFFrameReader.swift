internal import LazyMedia

/// Reads the composed frames of a GIF.
final class GIFFrameReader: ComposingReader {
    var cursor: FrameCursor
    private let media: OpenedGIF
    private let canvas: LayeredCanvas
    private let scaler: BitmapScaler?
    private let source: GIFImageSource
    /// The frame whose predecessor is on the canvas.
    private var composable: Int?
    /// Covering images whose data is incomplete, which show the canvas below.
    private var incompleteCovers: Set<Int> = []
    /// Images with a warning for ending early.
    private var short: Set<Int> = []

    /// Makes a reader; `leastWork` is the amount from which on threads are started.
    init(
        _ media: OpenedGIF, _ options: ReaderOptions, leastWork: Int = GIFImageSource.leastWork
    ) throws(MediaError) {
        self.media = media
        cursor = FrameCursor(
            media.timings(options.delayRule), options, warnings: media.info.warnings)
        // The canvas, and what disposal restores.
        try options.limits.check(canvases: 2, of: media.size)
        canvas = LayeredCanvas(size: media.size)
        scaler = options.scaler(from: media.size)
        source = try GIFImageSource(media, options, leastWork: leastWork)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        try cursor.spend(frame: media.size)
        return try compose(index) ? bitmap(scaler) : nil
    }

    /// Scales the canvas, which still shows it.
    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        guard let composable, composable > 0 else { return nil }
        try cursor.options.limits.check(canvas: size)
        let scaler = size == media.size ? nil : BitmapScaler(from: media.size, to: size)
        return Frame(bitmap: try bitmap(scaler), timing: cursor.timings[composable - 1])
    }

    // MARK: - Composing

    /// Draws a frame; false where damage ends the sequence before it.
    private func compose(_ target: Int) throws(MediaError) -> Bool {
        // After one incomplete image no other is trusted: trying each in turn would be quadratic.
        var trustsCovers = true
        while true {
            let plan = GIFSeekPlan(to: target, from: composable, images: media.scan.images) {
                let image = media.scan.images[$0]
                return image.startsBlank
                    || (trustsCovers && image.isKeyframe && !incompleteCovers.contains($0))
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
                try cursor.end(before: index, error)
                return false
            case .incompleteCover(let index):
                composable = nil
                incompleteCovers.insert(index)
                trustsCovers = false
                try cursor.spendTime()
            }
        }
    }

    private enum Outcome {
        case drawn
        case damaged(MediaError, Int)
        case incompleteCover(Int)
    }

    private func draw(_ steps: [GIFSeekPlan.Step], onBlank: Bool) throws(MediaError) -> Outcome {
        for (number, step) in steps.enumerated() {
            try cursor.options.cancellation.check()
            switch step {
            case .clear(let index):
                let rect = media.scan.images[index].rect.clipped(to: media.size)
                try canvas.skipClearing(rect ?? .empty)
            case .draw(let index):
                let job = try source.image(index)
                if let fault = job.fault { return .damaged(fault, index) }
                if !job.isWhole { warnOfShort(index) }
                let isFirst = onBlank && number == 0 && !media.scan.images[index].startsBlank
                if isFirst, !job.isWhole { return .incompleteCover(index) }
                try job.draw(on: canvas)
                try cursor.spendTime()
            }
        }
        return .drawn
    }

    /// Warns of the first few only: a file may have any number of them.
    private func warnOfShort(_ index: Int) {
        guard short.count < 16, short.insert(index).inserted else { return }
        cursor.warn(MediaWarning(.malformed, "Image \(index) of the GIF ends early."))
    }

    private func bitmap(_ scaler: BitmapScaler?) throws(MediaError) -> Bitmap {
        guard let scaler else { return try canvas.lend(isOpaque: canvas.isOpaque) }
        return try canvas.withBytes { (bytes) throws(MediaError) in
            try scaler.bitmap(of: bytes, isOpaque: canvas.isOpaque)
        }
    }
}
