internal import LazyMedia

/// The difference of two pictures of one size.
struct WebPChange: Hashable, Sendable {
    /// The bounding box, with even left and top.
    let rect: PixelRect
    /// The number of pixels that differ.
    let count: Int
    /// Whether all of these are opaque, so that they can be blended over the canvas.
    let isOpaque: Bool

    /// Compares two pictures; nil where none of their pixels differs.
    ///
    /// Transparent pixels are equal whatever their color. The old picture counts as transparent in
    /// the cleared rectangle.
    init?(from old: Bitmap, cleared: PixelRect? = nil, to new: Bitmap) {
        let size = new.size
        var tally = Tally()
        let left = cleared?.x ?? size.width
        let right = cleared.map { $0.x + $0.width } ?? size.width
        old.withBytes { old in
            new.withBytes { new in
                guard let a = old.bindMemory(to: UInt32.self).baseAddress,
                    let b = new.bindMemory(to: UInt32.self).baseAddress
                else { return }
                for y in 0..<size.height {
                    let (a, b) = (a + y * size.width, b + y * size.width)
                    guard let cleared, y >= cleared.y, y < cleared.y + cleared.height else {
                        tally.compare(a, b, 0..<size.width, y)
                        continue
                    }
                    tally.compare(a, b, 0..<left, y)
                    tally.look(b, left..<right, y)
                    tally.compare(a, b, right..<size.width, y)
                }
            }
        }
        guard tally.count > 0 else { return nil }
        rect = tally.evenRect
        count = tally.count
        isOpaque = tally.alphas >> 24 == 255
    }

    /// Statistics of the pixels that differ.
    private struct Tally {
        private(set) var count = 0
        private(set) var alphas = UInt32.max
        private var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)

        @inline(__always)
        mutating func compare(
            _ old: UnsafePointer<UInt32>, _ new: UnsafePointer<UInt32>, _ columns: Range<Int>,
            _ row: Int
        ) {
            for x in columns where old[x] != new[x] && (old[x] | new[x]) >> 24 != 0 {
                add(new[x], x, row)
            }
        }

        /// Compares where the old picture is transparent.
        @inline(__always)
        mutating func look(_ new: UnsafePointer<UInt32>, _ columns: Range<Int>, _ row: Int) {
            for x in columns where new[x] >> 24 != 0 { add(new[x], x, row) }
        }

        @inline(__always)
        private mutating func add(_ pixel: UInt32, _ x: Int, _ y: Int) {
            count += 1
            alphas &= pixel
            (left, right) = (min(left, x), max(right, x))
            (top, bottom) = (min(top, y), y)
        }

        var evenRect: PixelRect {
            let (x, y) = (left & ~1, top & ~1)
            return PixelRect(x: x, y: y, width: right - x + 1, height: bottom - y + 1)
        }
    }
}
