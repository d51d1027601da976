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
        let bitmap = try Bitmap(size: file.size, isOpaque: !file.hasAlpha) {
            (rgba) throws(MediaError) in
            rgba.initializeMemory(as: UInt8.self, repeating: 0)
            outcome = file.readPixels(into: rgba, cancellation: options.cancellation)
        }
        warnings = file.warning.map { [$0] } ?? []
        switch outcome {
        case .whole: return bitmap
        case .stopped: throw .cancelled
        case .partly(rows: 0, let damage):
            throw MediaError(damage.isEarlyEnd ? .truncated : .malformed, damage.message)
        case .partly(_, let damage):
            warnings.append(damage)
            return try bitmap.withoutPromise()
        }
    }

    private func scaled(_ bitmap: Bitmap) throws(MediaError) -> Bitmap {
        guard let size = options.size, size != bitmap.size else { return bitmap }
        let scaler = BitmapScaler(from: bitmap.size, to: size)
        return try Bitmap(size: size, isOpaque: bitmap.isOpaque) { (rows) throws(MediaError) in
            bitmap.withBytes {
                scaler.scale($0, stride: bitmap.stride, isOpaque: bitmap.isOpaque, into: rows)
            }
        }
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

extension MediaWarning {
    fileprivate var isEarlyEnd: Bool { code == .truncated }
}
