internal import LazyMedia

/// What a sample of the content counts in one picture, whose rows come one after the other.
struct PictureSample {
    let size: PixelSize
    /// Pixels that are equal to the one to the left and the one above.
    private(set) var equal = 0
    /// Pixels that differ from those by at most 24 in each channel.
    private(set) var soft = 0
    /// Whether there was a pixel that is not opaque.
    private(set) var hasTransparency = false
    /// Whether there was a pixel that is neither opaque nor invisible.
    private(set) var hasTranslucency = false
    private(set) var dither: DitherCounts
    private let isOpaque: Bool
    /// The last three rows, row `y` at `y % 3`.
    private var last: [UInt32]
    private var count = 0

    /// Counts nothing yet.
    init(_ size: PixelSize, isOpaque: Bool) {
        (self.size, self.isOpaque) = (size, isOpaque)
        dither = DitherCounts(size)
        last = Array(repeating: 0, count: 3 * size.width)
    }

    /// Counts the next rows: RGBA8 without padding.
    mutating func add(_ rows: UnsafeRawBufferPointer) {
        let pixels = rows.bindMemory(to: UInt32.self)
        for start in stride(from: 0, to: pixels.count, by: size.width) {
            add(row: UnsafeBufferPointer(rebasing: pixels[start..<(start + size.width)]))
        }
    }

    private mutating func add(row pixels: UnsafeBufferPointer<UInt32>) {
        let (width, y) = (size.width, count)
        count += 1
        if !isOpaque, !hasTranslucency { countAlpha(pixels) }
        // Counting changes this value, so its rows are taken out of it.
        var lent: [UInt32] = []
        swap(&lent, &last)
        defer { swap(&lent, &last) }
        lent.withUnsafeMutableBufferPointer { last in
            guard let start = last.baseAddress, let first = pixels.baseAddress else { return }
            let row = start + y % 3 * width
            row.update(from: first, count: width)
            if y > 0 {
                let above = start + (y - 1) % 3 * width
                let (equal, soft) = Self.compare(row, above, width)
                self.equal += equal
                self.soft += soft
                let second = start + (y + 1) % 3 * width
                dither.add(y - 1, above, above: second - above, below: row - above)
            }
            if y == size.height - 1 { dither.add(y, row, above: 0, below: 0) }
        }
    }

    private mutating func countAlpha(_ pixels: UnsafeBufferPointer<UInt32>) {
        for pixel in pixels where pixel >> 24 != 255 {
            hasTransparency = true
            guard pixel >> 24 == 0 else {
                hasTranslucency = true
                return
            }
        }
    }

    private static func compare(
        _ pixels: UnsafePointer<UInt32>, _ upper: UnsafePointer<UInt32>, _ width: Int
    ) -> (equal: Int, soft: Int) {
        var (equal, soft) = (0, 0)
        for x in 1..<width {
            let (pixel, left, top) = (pixels[x], pixels[x - 1], upper[x])
            if pixel == left, pixel == top {
                equal += 1
            } else if isNear(pixel, left, top) {
                soft += 1
            }
        }
        return (equal, soft)
    }

    // Whether each channel differs by at most 24 from those of both others; eight channels at once, in lanes of 16 bits.
    @inline(__always)
    private static func isNear(_ pixel: UInt32, _ left: UInt32, _ top: UInt32) -> Bool {
        let lanes: UInt64 = 0x00FF_00FF_00FF_00FF
        let pixels = UInt64(pixel) &<< 32 | UInt64(pixel)
        let others = UInt64(left) &<< 32 | UInt64(top)
        return isNear(pixels & lanes, others & lanes)
            && isNear(pixels &>> 8 & lanes, others &>> 8 & lanes)
    }

    @inline(__always)
    private static func isNear(_ some: UInt64, _ others: UInt64) -> Bool {
        let top: UInt64 = 0x8000_8000_8000_8000
        // The difference and 24, which is 0 to 48, above a bit that is lost where it is less.
        let sums = (some | top) &+ 0x0018_0018_0018_0018 &- others
        return sums & top == top && ((sums & ~top) &+ 0x7FCF_7FCF_7FCF_7FCF) & top == 0
    }
}
