internal import LazyMedia

/// Hands out the one picture of a PNG.
final class PNGReader: FrameReader {
    private let bytes: MemoryBytes
    private let size: PixelSize
    private let hasAlpha: Bool
    private let options: ReaderOptions
    private var budget: DecodingBudget
    private var isAtEnd = false
    private(set) var warnings: [MediaWarning] = []

    init(_ bytes: MemoryBytes, size: PixelSize, hasAlpha: Bool, _ options: ReaderOptions) {
        self.bytes = bytes
        self.size = size
        self.hasAlpha = hasAlpha
        self.options = options
        budget = DecodingBudget(options.limits)
    }

    func nextFrame() throws(MediaError) -> Frame? {
        try options.cancellation.check()
        guard !isAtEnd else { return nil }
        let clock = ContinuousClock()
        let start = clock.now
        let decoded = try decoded()
        let bitmap = try decoded.scaled(to: options.size ?? decoded.size)
        try budget.spend(time: clock.now - start)
        isAtEnd = true
        return Frame(bitmap: bitmap, timing: .still)
    }

    func seek(toIndex index: Int) throws(MediaError) { isAtEnd = index > 0 }

    func seek(toTime time: Duration) throws(MediaError) { isAtEnd = false }

    private func decoded() throws(MediaError) -> Bitmap {
        try budget.spend(frame: size)
        var pixels = PNGPixels()
        let bitmap = try Bitmap(size: size, isOpaque: !hasAlpha) { (rgba) throws(MediaError) in
            pixels = try PNGPixels(
                reading: bytes, size: size, into: rgba, cancellation: options.cancellation)
        }
        warnings = pixels.warnings
        return pixels.areWhole ? bitmap : try bitmap.withoutPromise()
    }
}

extension Bitmap {
    /// The same pixels where rows are missing, which are transparent.
    fileprivate func withoutPromise() throws(MediaError) -> Bitmap {
        try Bitmap(size: size, isOpaque: false) { (rows) throws(MediaError) in
            withBytes { rows.copyMemory(from: $0) }
        }
    }
}
