internal import LazyMedia

/// Hands out the one picture of a JPEG.
final class JPEGReader: FrameReader {
    private let picture: JPEGPicture
    private let options: ReaderOptions
    private var budget: DecodingBudget
    private var isAtEnd = false
    private(set) var warnings: [MediaWarning] = []

    init(_ picture: JPEGPicture, _ options: ReaderOptions) {
        self.picture = picture
        self.options = options
        budget = DecodingBudget(options.limits)
    }

    func nextFrame() throws(MediaError) -> Frame? {
        try options.cancellation.check()
        guard !isAtEnd else { return nil }
        try budget.spend(frame: picture.codedSize)
        let wanted = options.size ?? picture.info.size
        try options.limits.check(canvas: wanted)
        let clock = ContinuousClock()
        let start = clock.now
        let pixels = try JPEGPixels(
            picture.bytes, codedSize: picture.codedSize,
            wanted: picture.orientation.turned(wanted), JPEGInput(picture.bytes, options))
        let upright = try pixels.bitmap.turned(picture.orientation)
        try budget.spend(time: clock.now - start)
        warnings = pixels.warnings
        isAtEnd = true
        return Frame(bitmap: upright, timing: .still)
    }

    func seek(toIndex index: Int) throws(MediaError) { isAtEnd = index > 0 }

    func seek(toTime time: Duration) throws(MediaError) { isAtEnd = false }
}
