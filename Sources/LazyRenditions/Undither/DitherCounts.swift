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

    private let size: PixelSize
    private let step: Int
    /// A hash table with more slots than colors that are allowed.
    private var slots: [UInt32] = []
    private var colorCount = 0

    /// Counts nothing yet of a picture of a size.
    init(_ size: PixelSize) {
        self.size = size
        step = max(4, size.height / Self.rows)
    }

    init(_ bitmap: Bitmap) {
        self.init(bitmap.size)
        let width = size.width
        bitmap.withBytes { bytes in
            guard let first = bytes.bindMemory(to: UInt32.self).baseAddress else { return }
            for y in 0..<size.height {
                add(y, first + y * width, above: -width, below: width)
            }
        }
    }

    /// Counts a row if it is one of the sample, with the offsets of the rows above and below it.
    mutating func add(_ y: Int, _ row: UnsafePointer<UInt32>, above: Int, below: Int) {
        guard size.width >= 8, size.height >= 8 else { return }
        if y % step == 1, y < size.height - 1 { count(row, size.width, above: above, below: below) }
        if y % step == 0, colorsAreFew { countColors(row) }
    }

    /// The probability that the picture is dithered with few colors, from 0 to 1.
    var probability: Double {
        guard colorsAreFew, pixels > 0 else { return 0 }
        // Without dithering about a tenth of the edges are dots; with it about half.
        let share = Double(dots) / Double(pixels)
        guard share > 0.01 else { return 0 }
        return min(max((Double(dots) / Double(max(1, edges)) - 0.2) / 0.15, 0), 1)
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

    private mutating func countColors(_ row: UnsafePointer<UInt32>) {
        if slots.isEmpty { slots = Array(repeating: 0, count: Self.maxColors * 4) }
        var last: UInt32 = 0
        for x in 0..<size.width {
            let color = row[x] | 0xFF00_0000
            if color == last { continue }
            last = color
            var slot = Int((color &* 2_654_435_761) >> 19)
            while slots[slot] != 0, slots[slot] != color {
                slot = (slot + 1) & (slots.count - 1)
            }
            guard slots[slot] == 0 else { continue }
            slots[slot] = color
            colorCount += 1
            if colorCount > Self.maxColors {
                colorsAreFew = false
                return
            }
        }
    }
}
