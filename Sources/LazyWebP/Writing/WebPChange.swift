internal import LazyMedia

/// The part of the canvas in which two pictures of one size differ.
struct WebPChange: Hashable, Sendable {
    /// The smallest rectangle, from even columns and rows on.
    let rect: PixelRect
    /// The pixels in it that differ.
    let count: Int
    /// Whether all of these are opaque, so that they can be laid over what is there.
    let isOpaque: Bool

    /// Compares two pictures; nil where none of their pixels differs.
    ///
    /// Transparent pixels are alike whatever their colour.
    init?(from old: Bitmap, to new: Bitmap) {
        let size = new.size
        var box = Box()
        var count = 0
        var alphas = UInt32.max
        old.withBytes { old in
            new.withBytes { new in
                let a = old.bindMemory(to: UInt32.self)
                let b = new.bindMemory(to: UInt32.self)
                for y in 0..<size.height {
                    let row = y * size.width
                    for x in 0..<size.width where a[row + x] != b[row + x] {
                        let pixel = b[row + x]
                        if (pixel | a[row + x]) >> 24 == 0 { continue }
                        box.add(x, y)
                        count += 1
                        alphas &= pixel
                    }
                }
            }
        }
        guard count > 0 else { return nil }
        rect = box.evenRect
        self.count = count
        isOpaque = alphas >> 24 == 255
    }

    private struct Box {
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)

        mutating func add(_ x: Int, _ y: Int) {
            (left, right) = (min(left, x), max(right, x))
            (top, bottom) = (min(top, y), y)
        }

        var evenRect: PixelRect {
            let (x, y) = (left & ~1, top & ~1)
            return PixelRect(x: x, y: y, width: right - x + 1, height: bottom - y + 1)
        }
    }
}
