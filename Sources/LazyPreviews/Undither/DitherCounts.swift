internal import LazyMedia

/// What tells dithering, counted over some rows of a picture.
struct DitherCounts {
    /// The most a dot differs from its neighbors in a channel.
    private static let mostStep: Int32 = 72
    /// More colors than that do not come from palettes.
    private static let mostColors = 2048
    /// Rows that are looked at, about, of large pictures; of small ones each fourth.
    private static let rows = 40

    /// Pixels looked at.
    private(set) var pixels = 0
    /// Pixels that differ from a neighbor, but not much.
    private(set) var edges = 0
    /// Those of them that stand out between two neighbors.
    private(set) var dots = 0
    /// Whether the colors may be those of palettes.
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

    /// Looks along a row and across it.
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
        guard first.most <= Self.mostStep, second.most <= Self.mostStep else { return }
        edges += 1
        // Both neighbors lie on the same side of it, and nearer to each other than to it.
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
        // A table of twice as many slots as colors that are let through.
        var slots = [UInt32](repeating: 0, count: Self.mostColors * 4)
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
                if seen > Self.mostColors {
                    colorsAreFew = false
                    return
                }
            }
        }
    }
}
