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
        let statistics = LumaStatistics(bitmap)
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

/// Sums over the luma of a picture's opaque pixels (BT.601 weights in 1/256).
private struct LumaStatistics {
    var coverage = 0.0
    var mean = 0.0
    var deviation = 0.0
    var edges = 0.0
    /// From the 2nd to the 98th percentile.
    var range = 0.0

    init(_ bitmap: Bitmap) {
        var histogram = [Int](repeating: 0, count: 256)
        var difference = 0
        var neighbors = 0
        bitmap.withBytes { bytes in
            for y in 0..<bitmap.size.height {
                var before: Int?
                for x in 0..<bitmap.size.width {
                    let offset = y * bitmap.stride + x * 4
                    guard bytes[offset + 3] >= 128 else {
                        before = nil
                        continue
                    }
                    let red = 77 * Int(bytes[offset])
                    let green = 150 * Int(bytes[offset + 1])
                    let luma = (red + green + 29 * Int(bytes[offset + 2])) >> 8
                    histogram[luma] += 1
                    if let before {
                        difference += abs(luma - before)
                        neighbors += 1
                    }
                    before = luma
                }
            }
        }
        let count = histogram.reduce(0, +)
        coverage = Double(count) / Double(bitmap.size.pixelCount)
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
