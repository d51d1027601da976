internal import LazyMedia

/// Counts that detect dithering, over some rows of a picture.
struct DitherCounts {
    /// The largest difference of a dot from its neighbors in a channel.
    private static let maxStep: Int32 = 72
    /// The most colors of a palette, over all frames.
    private static let maxColors = 2048
    /// About the number of rows sampled in large pictures; in small ones every fourth is.
    private static let rows = 40

    /// Pixels sampled.
    private(set) var pixels = 0
    /// Pixels that differ a little from a neighbor.
    private(set) var edges = 0
    /// Those of them that differ from two opposite neighbors in the same direction.
    private(set) var dots = 0
    /// Whether the colors are few enough for a palette.
    private(set) var colorsAreFew = true

    init(_ bitmap: Bitmap) {
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        guard width >= 8, height >= 8 else { return }
        bitmap.withBytes { bytes in
            guard let first = bytes.bindMemory(to: UInt32.self).baseAddress else { return }
            let step = max(4, height / Self.rows)
            for y in stride(from: 1, to: height - 1, by: step) {
                count(first + y * width, width, above: -width, below: width)
            }
            countColors(first, width, height, step)
        }
    }

    /// Samples a row, horizontally and vertically.
    private mutating func count(
        _ row: UnsafePointer<UInt32>, _ width: Int, above: Int, below: Int
    ) {
        for x in 1..<(width - 1) {
            let here = row[x]
            pixels += 1
            compare(here, row[x - 1], row[x + 1])
            compare(here, row[x + above], row[x + below])
        }
    }

    @inline(__always)
    private mutating func compare(_ here: UInt32, _ one: UInt32, _ other: UInt32) {
        guard here != one || here != other else { return }
        let first = Self.step(here, one)
        let second = Self.step(here, other)
        guard first.most <= Self.maxStep, second.most <= Self.maxStep else { return }
        edges += 1
        // Both neighbors are lighter, or both darker, and closer to each other than to the pixel.
        guard first.sum * second.sum > 0 else { return }
        let between = Self.step(one, other)
        if abs(between.sum) < max(abs(first.sum), abs(second.sum)) { dots += 1 }
    }

    /// The largest difference of a channel, and a weighted sum of all.
    @inline(__always)
    private static func step(_ a: UInt32, _ b: UInt32) -> (most: Int32, sum: Int32) {
        let red = Int32(a & 0xFF) - Int32(b & 0xFF)
        let green = Int32(a >> 8 & 0xFF) - Int32(b >> 8 & 0xFF)
        let blue = Int32(a >> 16 & 0xFF) - Int32(b >> 16 & 0xFF)
        return (max(abs(red), max(abs(green), abs(blue))), 2 * red + 4 * green + blue)
    }

    private mutating func countColors(
        _ first: UnsafePointer<UInt32>, _ width: Int, _ height: Int, _ step: Int
    ) {
        // A hash table with more slots than colors that are allowed.
        var slots = [UInt32](repeating: 0, count: Self.maxColors * 4)
        var seen = 0
        var last: UInt32 = 0
        for y in stride(from: 0, to: height, by: step) {
            for x in 0..<width {
                let color = first[y * width + x] | 0xFF00_0000
                if color == last { continue }
                last = color
                var slot = Int((color &* 2_654_435_761) >> 19)
                while slots[slot] != 0, slots[slot] != color {
                    slot = (slot + 1) & (slots.count - 1)
                }
                guard slots[slot] == 0 else { continue }
                slots[slot] = color
                seen += 1
                if seen > Self.maxColors {
                    colorsAreFew = false
                    return
                }
            }
        }
    }
}
