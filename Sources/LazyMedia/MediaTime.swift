/// An exact fraction of two integers, such as a time base or a pixel aspect ratio.
public struct Rational: Hashable, Sendable, CustomStringConvertible {
    /// The part above the bar.
    public let numerator: Int64
    /// The part below the bar; always at least 1.
    public let denominator: Int64

    /// Makes a fraction; the denominator must be positive.
    public init(_ numerator: Int64, _ denominator: Int64) {
        precondition(denominator > 0, "a fraction has a positive denominator")
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The nearest floating point number.
    public var doubleValue: Double { Double(numerator) / Double(denominator) }

    /// The fraction as `1:90000`.
    public var description: String { "\(numerator):\(denominator)" }
}

/// A moment or a length in ticks of a time base, kept exactly as the file says it.
///
/// FFmpeg calls this a PTS with its `time_base`; a GIF's time base is 1/100 s.
public struct MediaTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Ticks; may be negative.
    public let ticks: Int64
    /// Seconds per tick.
    public let base: Rational

    /// Makes a time of so many ticks.
    public init(ticks: Int64, base: Rational) {
        self.ticks = ticks
        self.base = base
    }

    /// Makes a time from whole microseconds.
    public init(microseconds: Int64) {
        self.init(ticks: microseconds, base: Rational(1, 1_000_000))
    }

    /// The moment nought.
    public static let zero = MediaTime(ticks: 0, base: Rational(1, 1_000_000))

    /// The time in microseconds, rounded to the nearest, halves away from nought.
    ///
    /// Saturates at the ends of `Int64`, which no real file reaches.
    public var microseconds: Int64 { scaled(to: 1_000_000) }

    /// The time as a `Duration`, rounded to the nearest attosecond below.
    public var duration: Duration {
        let (high, low) = ticks.multipliedFullWidth(by: base.numerator)
        let product = Int128(high) << 64 | Int128(low)
        let (seconds, rest) = product.quotientAndRemainder(dividingBy: Int128(base.denominator))
        let atto = rest * 1_000_000_000_000_000_000 / Int128(base.denominator)
        return Duration(
            secondsComponent: Int64(clamping: seconds), attosecondsComponent: Int64(clamping: atto))
    }

    /// Orders two times by their moment, exactly, whatever their bases.
    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        if left.base == right.base { return left.ticks < right.ticks }
        return left.duration < right.duration
    }

    /// The time as seconds with six decimals.
    public var description: String {
        let micro = microseconds
        let rest = String(micro.magnitude % 1_000_000)
        let padding = String(repeating: "0", count: 6 - rest.count)
        return "\(micro < 0 ? "-" : "")\(micro.magnitude / 1_000_000).\(padding)\(rest)"
    }

    private func scaled(to perSecond: Int64) -> Int64 {
        let (high, low) = ticks.multipliedFullWidth(by: base.numerator)
        let product = (Int128(high) << 64 | Int128(low))
        let (value, overflow) = product.multipliedReportingOverflow(by: Int128(perSecond))
        guard !overflow else { return ticks < 0 ? .min : .max }
        let half = Int128(base.denominator / 2)
        return Int64(clamping: (value + (value < 0 ? -half : half)) / Int128(base.denominator))
    }
}
