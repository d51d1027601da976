package import LazyMedia

/// Edges of one color that are removed.
package struct EdgeTrim: Hashable, Sendable {
    /// How much a channel differs where a pixel is no part of an edge: more than that.
    package var threshold: Double
    /// The color; nil for that of the upper left pixel as the file stores it.
    package var color: PixelColor?
    /// Whether as much is removed on the right as on the left, the smaller of both.
    package var isEqualAcross = false
    /// Whether as much is removed below as above, the smaller of both.
    package var isEqualDown = false
    /// The corner that has the color where none is named, clockwise from the upper left one.
    private var corner = 0

    /// Makes a rule.
    package init(
        threshold: Double, color: PixelColor? = nil, isEqualAcross: Bool = false,
        isEqualDown: Bool = false
    ) {
        self.threshold = threshold
        self.color = color
        self.isEqualAcross = isEqualAcross
        self.isEqualDown = isEqualDown
    }

    /// The same rule, which is about pictures as a still's file stores them, for those that are shown as the file says.
    package func shown(by info: MediaInfo) -> EdgeTrim {
        guard info.type.family != .video else { return self }
        var trim = self
        trim.corner = (info.rotation / 90 + (info.isMirrored ? 1 : 0)) % 4
        if info.rotation % 180 != 0 {
            (trim.isEqualAcross, trim.isEqualDown) = (isEqualDown, isEqualAcross)
        }
        return trim
    }

    /// What stays of a picture; all of it where nothing would.
    package func inner(of bitmap: Bitmap) -> PixelRect? {
        let size = bitmap.size
        return bitmap.withBytes { bytes -> PixelRect? in
            let pixels = bytes.bindMemory(to: Pixel.self)
            let (end, below) = (size.width - 1, (size.height - 1) * size.width)
            let first = pixels[[0, end, below + end, below][corner]]
            let edge =
                color.map { Self.seen(Pixel($0.red, $0.green, $0.blue, 255)) } ?? Self.seen(first)
            func isInside(_ x: Int, _ y: Int) -> Bool {
                let pixel = Self.seen(pixels[y * size.width + x])
                return (0..<3).contains { abs(Double(pixel[$0] - edge[$0])) > threshold }
            }
            let (rows, columns) = (0..<size.height, 0..<size.width)
            guard let top = rows.first(where: { y in columns.contains { isInside($0, y) } }),
                let bottom = rows.last(where: { y in columns.contains { isInside($0, y) } })
            else { return nil }
            let inner = top...bottom
            let left = columns.first { x in inner.contains { isInside(x, $0) } } ?? 0
            let right = columns.last { x in inner.contains { isInside(x, $0) } } ?? 0
            let across = Self.margins(left, size.width - 1 - right, isEqual: isEqualAcross)
            let down = Self.margins(top, size.height - 1 - bottom, isEqual: isEqualDown)
            return PixelRect(
                x: across.0, y: down.0, width: size.width - across.0 - across.1,
                height: size.height - down.0 - down.1)
        }
    }

    private static func margins(_ one: Int, _ other: Int, isEqual: Bool) -> (Int, Int) {
        isEqual ? (min(one, other), min(one, other)) : (one, other)
    }

    /// A pixel over ff00ff, which pictures seldom have.
    private static func seen(_ pixel: Pixel) -> SIMD4<Int32> {
        let shown = pixel.w == 255 ? pixel : over(pixel, opacity: 255, Pixel(255, 0, 255, 255))
        return SIMD4(Int32(shown.x), Int32(shown.y), Int32(shown.z), 0)
    }
}
