/// How well a frame represents its sequence, and why; every part is 0 (bad) to 1 (good).
///
/// Deterministic: integers and fixed thresholds over a small copy of the frame.
public struct PosterScore: Hashable, Sendable {
    /// Neither nearly black nor nearly white.
    public let brightness: Double
    /// Not a single flat color: the spread of luma about its mean.
    public let variety: Double
    /// Edges: the mean difference of neighboring luma.
    public let sharpness: Double
    /// Not in a fade: the range from dark to light.
    public let contrast: Double
    /// The share of pixels that are not transparent.
    public let coverage: Double

    /// The product of the parts, each softened so that one weak part does not decide.
    public var total: Double {
        let parts = (0.1 + 0.9 * brightness) * (0.1 + 0.9 * variety) * (0.3 + 0.7 * sharpness)
        return parts * (0.2 + 0.8 * contrast) * coverage
    }

    /// Whether the frame is so good that only its neighbors are considered further.
    public var isGood: Bool {
        brightness > 0.6 && variety > 0.4 && contrast > 0.5 && coverage > 0.5
    }

    /// Whether the frame is so good that the search ends.
    ///
    /// Good in every part, and three quarters of the maximum: neighbors seldom score more than a few
    /// hundredths better.
    public var isClear: Bool { isGood && total >= 0.75 }

    /// Whether the frame is good and not blurred, so that a better one is not worth decoding many frames for.
    var isWorthwhile: Bool { isGood && total >= 0.5 }

    /// Scores a picture, preferably a small one of some 20,000 pixels.
    ///
    /// O(pixels).
    public init(_ bitmap: Bitmap) {
        var statistics = LumaStatistics(width: bitmap.size.width)
        bitmap.withBytes { statistics.add($0) }
        self.init(statistics)
    }

    /// Scores what was counted.
    init(_ counted: LumaStatistics) {
        var statistics = counted
        statistics.finish()
        coverage = statistics.coverage
        let mean = statistics.mean / 255
        brightness = min(Self.ramp(mean, 0.04, 0.16), Self.ramp(1 - mean, 0.02, 0.08))
        variety = Self.ramp(statistics.deviation / 255, 0.01, 0.12)
        sharpness = Self.ramp(statistics.edges / 255, 0.002, 0.03)
        contrast = Self.ramp(statistics.range / 255, 0.08, 0.5)
    }

    private static func ramp(_ value: Double, _ low: Double, _ high: Double) -> Double {
        min(1, max(0, (value - low) / (high - low)))
    }
}

/// Sums over the luma of a picture's opaque pixels (BT.601 weights in 1/256), whose rows come one after the other.
struct LumaStatistics {
    private(set) var coverage = 0.0
    private(set) var mean = 0.0
    private(set) var deviation = 0.0
    private(set) var edges = 0.0
    /// From the 2nd to the 98th percentile.
    private(set) var range = 0.0

    private let width: Int
    private var histogram = [Int](repeating: 0, count: 256)
    private var difference = 0
    private var neighbors = 0
    private var pixelCount = 0

    /// Counts nothing yet of a picture of a width.
    init(width: Int) { self.width = width }

    /// Counts rows of RGBA8 without padding.
    mutating func add(_ rows: UnsafeRawBufferPointer) {
        let height = rows.count / (width * 4)
        var (histogram, difference, neighbors) = (self.histogram, self.difference, self.neighbors)
        for y in 0..<height {
            var before: Int?
            for x in 0..<width {
                let offset = (y * width + x) * 4
                guard rows[offset + 3] >= 128 else {
                    before = nil
                    continue
                }
                let red = 77 * Int(rows[offset])
                let green = 150 * Int(rows[offset + 1])
                let luma = (red + green + 29 * Int(rows[offset + 2])) >> 8
                histogram[luma] += 1
                if let before {
                    difference += abs(luma - before)
                    neighbors += 1
                }
                before = luma
            }
        }
        (self.histogram, self.difference, self.neighbors) = (histogram, difference, neighbors)
        pixelCount += width * height
    }

    /// Makes what is told of the sums.
    fileprivate mutating func finish() {
        let count = histogram.reduce(0, +)
        coverage = Double(count) / Double(pixelCount)
        edges = Double(difference) / Double(max(1, neighbors))
        summarize(histogram, count: count)
    }

    private mutating func summarize(_ histogram: [Int], count: Int) {
        guard count > 0 else { return }
        let sum = histogram.indices.reduce(0) { $0 + $1 * histogram[$1] }
        let squares = histogram.indices.reduce(0) { $0 + $1 * $1 * histogram[$1] }
        mean = Double(sum) / Double(count)
        deviation = max(0, Double(squares) / Double(count) - mean * mean).squareRoot()
        var seen = 0
        var low: Int?
        var high: Int?
        for luma in histogram.indices where histogram[luma] > 0 {
            seen += histogram[luma]
            if low == nil, seen * 50 >= count { low = luma }
            if high == nil, seen * 50 >= count * 49 { high = luma }
        }
        range = Double((high ?? 0) - (low ?? 0))
    }
}
