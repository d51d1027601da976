internal import Glibc

/// The gain of light by the brightest of its three channels; 1 is SDR white, 203 cd/m².
enum ToneCurve {
    /// No mapping: what is above white is clipped.
    case clip
    /// The reference white tone mapping operator (SMPTE ST 2094-50), as eight knots.
    case referenceWhite([Knot])
    /// ITU-R BT.2390-10, 5.4: the knee in PQ, with the largest code of content and display.
    case bt2390(content: Double, display: Double)

    /// A place on the logarithm of the gain, with its slope.
    struct Knot {
        let light: Double
        let gain: Double
        let slope: Double
    }

    /// The curve of a mapping for content with a peak in cd/m².
    init(_ mapping: ToneMapping, peak: Double) {
        let headroom = min(max(log2(peak / TransferCurve.referenceWhite), 0), 6)
        guard headroom > 0, mapping != .clip else {
            self = .clip
            return
        }
        if mapping == .bt2390 {
            self = .bt2390(
                content: TransferCurve.encodedPQ(peak),
                display: TransferCurve.encodedPQ(TransferCurve.referenceWhite))
        } else {
            self = .referenceWhite(Self.knots(headroom: headroom))
        }
    }

    /// The gain for light of the brightest channel.
    func gain(_ light: Double) -> Double {
        switch self {
        case .clip: 1
        case .referenceWhite(let knots): Self.gain(light, knots)
        case .bt2390(let content, let display): Self.bt2390(light, content, display)
        }
    }

    /// Knots on a quadratic Bézier curve from white to the peak.
    private static func knots(headroom: Double) -> [Knot] {
        let ratio = min(headroom / log2(1000 / TransferCurve.referenceWhite), 1)
        let white = 1 - ratio / 2
        let peak = exp2(headroom)
        let middle = (x: 0.35 + 0.65 / white, y: 0.35 * white + 0.65)
        let square = (x: 1 - 2 * middle.x + peak, y: white - 2 * middle.y + 1)
        let linear = (x: 2 * middle.x - 2, y: 2 * middle.y - 2 * white)
        return (0..<8).map { step in
            let t = Double(step) / 7
            let x = 1 + t * (linear.x + t * square.x)
            let y = white + t * (linear.y + t * square.y)
            let tangent = (2 * square.y * t + linear.y) / (2 * square.x * t + linear.x)
            return Knot(
                light: x, gain: log2(y / x), slope: (x * tangent - y) / (log(2) * x * y))
        }
    }

    /// The gain between knots by a cubic Hermite spline of its logarithm.
    private static func gain(_ light: Double, _ knots: [Knot]) -> Double {
        guard let first = knots.first, let last = knots.last else { return 1 }
        if light <= first.light { return exp2(first.gain) }
        if light >= last.light { return exp2(last.gain) * last.light / light }
        let upper = knots.firstIndex { $0.light > light } ?? knots.count - 1
        let (from, to) = (knots[upper - 1], knots[upper])
        let width = to.light - from.light
        let t = (light - from.light) / width
        let (a, b) = (from.slope * width, to.slope * width)
        let cubic = 2 * from.gain + a - 2 * to.gain + b
        let square = -3 * from.gain + 3 * to.gain - 2 * a - b
        return exp2(((cubic * t + square) * t + a) * t + from.gain)
    }

    private static func bt2390(_ light: Double, _ content: Double, _ display: Double) -> Double {
        guard light > 0 else { return 1 }
        let code = min(TransferCurve.encodedPQ(light * TransferCurve.referenceWhite) / content, 1)
        let most = display / content
        let knee = 1.5 * most - 0.5
        guard code > knee else { return 1 }
        let t = (code - knee) / (1 - knee)
        let mapped =
            (2 * t * t * t - 3 * t * t + 1) * knee
            + (t * t * t - 2 * t * t + t) * (1 - knee) + (-2 * t * t * t + 3 * t * t) * most
        return TransferCurve.decodedPQ(mapped * content) / TransferCurve.referenceWhite / light
    }
}
