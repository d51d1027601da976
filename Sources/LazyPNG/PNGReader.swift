internal import LazyMedia

/// Hands out the one picture of a PNG.
final class PNGReader: FrameReader {
    private let bytes: MemoryBytes
    private let options: ReaderOptions
    private var budget: DecodingBudget
    private var isAtEnd = false
    private(set) var warnings: [MediaWarning] = []

    init(_ bytes: MemoryBytes, _ options: ReaderOptions) {
        self.bytes = bytes
        self.options = options
        budget = DecodingBudget(options.limits)
    }

    func nextFrame() throws(MediaError) -> Frame? {
        try options.cancellation.check()
        guard !isAtEnd else { return nil }
        let clock = ContinuousClock()
        let start = clock.now
        let bitmap = try scaled(decoded())
        try budget.spend(time: clock.now - start)
        isAtEnd = true
        return Frame(bitmap: bitmap, timing: .still)
    }

    func seek(toIndex index: Int) throws(MediaError) { isAtEnd = index > 0 }

    func seek(toTime time: Duration) throws(MediaError) { isAtEnd = false }

    private func decoded() throws(MediaError) -> Bitmap {
        let file = try PNGFile(bytes)
        try budget.spend(frame: file.size)
        var outcome = PNGFile.Outcome.whole
        var bitmap = try Bitmap(size: file.size, isOpaque: !file.hasAlpha) {
            (rgba) throws(MediaError) in
            rgba.initializeMemory(as: UInt8.self, repeating: 0)
            outcome = file.readPixels(into: rgba, cancellation: options.cancellation)
        }
        warnings = []
        if let warning = file.warning { warnings.append(warning) }
        switch outcome {
        case .whole: break
        case .stopped: throw .cancelled
        case .partly(rows: 0, let damage):
            throw MediaError(
                damage.code == .truncated ? .truncated : .malformed, damage.message)
        case .partly(_, let damage): 
            warnings.append(damage)
            bitmap = try bitmap.markedAsTransparent()
        }
        return bitmap
    }
}
