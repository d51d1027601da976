/// A point in time or a length, in ticks of a time base, exactly as in the file.
///
/// FFmpeg calls this a PTS with its `time_base`; a GIF's time base is 1/100 s. No operation traps,
/// whatever numbers a file holds: results saturate. Times are compared exactly, across bases: 1/2 s and
/// 2/4 s are equal and have one hash.
public struct MediaTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Ticks; may be negative.
    public let ticks: Int64
    /// Seconds per tick.
    public let base: Rational

    /// Makes a time from a number of ticks.
    public init(ticks: Int64, base: Rational) {
        self.ticks = ticks
        self.base = base
    }

    /// Makes a time from whole microseconds.
    public init(microseconds: Int64) {
        self.init(ticks: microseconds, base: Rational(1, 1_000_000))
    }

    /// Makes a time from a length in whole nanoseconds, rounded to the nearest.
    public init(_ duration: Duration) {
        self.init(ticks: duration.nanoseconds, base: Rational(1, 1_000_000_000))
    }

    /// Time 0.
    public static let zero = MediaTime(ticks: 0, base: Rational(1, 1_000_000))

    /// The longest `duration` of a time: 2⁴⁰ s, some 35,000 years.
    ///
    /// It keeps sums and products of lengths far from where `Duration` traps.
    public static let farthest = Duration.seconds(Int64(1) << 40)

    /// The time in microseconds, rounded to the nearest, halves away from 0.
    ///
    /// Saturates at the bounds of `Int64`, which no real file reaches.
    public var microseconds: Int64 { ticks(perSecond: 1_000_000, .nearest) }

    /// The time as a `Duration`, rounded to whole attoseconds toward 0.
    ///
    /// Saturates at `farthest` and its negative.
    public var duration: Duration {
        let (seconds, rest) = product.quotientAndRemainder(dividingBy: Int128(base.denominator))
        guard seconds.magnitude < Self.farthest.wholeSeconds else {
            return seconds < 0 ? .zero - Self.farthest : Self.farthest
        }
        let atto = rest * 1_000_000_000_000_000_000 / Int128(base.denominator)
        return Duration(
            secondsComponent: Int64(clamping: seconds), attosecondsComponent: Int64(clamping: atto))
    }

    /// The time in whole ticks of a rate; saturates at the bounds of `Int64`.
    package func ticks(perSecond rate: Int64, _ rounding: Duration.Rounding = .down) -> Int64 {
        let (rate, denominator) = (UInt128(max(0, rate)), UInt128(base.denominator))
        let (seconds, rest) = product.magnitude.quotientAndRemainder(dividingBy: denominator)
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: rate)
        let part = (rest * rate + (rounding == .nearest ? denominator / 2 : 0)) / denominator
        let (sum, isTooFar) = whole.addingReportingOverflow(part)
        let ticks = Int128(clamping: isTooLong || isTooFar ? .max : sum)
        return Int64(clamping: product < 0 ? -ticks : ticks)
    }

    /// The time in ticks of another base, rounded to the nearest; saturates at the bounds of `Int64`.
    package func ticks(of other: Rational) -> Int64 {
        let divisor = Int128(base.denominator) * Int128(max(1, other.numerator))
        let (scaled, isTooFar) = product.multipliedReportingOverflow(by: Int128(other.denominator))
        guard !isTooFar else { return product < 0 ? .min : .max }
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: divisor)
        let isHalf = rest.magnitude >= divisor.magnitude - rest.magnitude
        return Int64(clamping: isHalf ? whole + (scaled < 0 ? -1 : 1) : whole)
    }

    /// The time as seconds with six decimals.
    public var description: String {
        let micro = microseconds
        let rest = String(micro.magnitude % 1_000_000)
        let padding = String(repeating: "0", count: 6 - rest.count)
        return "\(micro < 0 ? "-" : "")\(micro.magnitude / 1_000_000).\(padding)\(rest)"
    }

    /// The seconds times the denominator; never overflows.
    private var product: Int128 { Int128(ticks) * Int128(base.numerator) }
}

// MARK: - Comparing

extension MediaTime {
    /// Whether two times are the same point in time, exactly, in any bases.
    public static func == (left: MediaTime, right: MediaTime) -> Bool {
        if left.base == right.base, left.ticks == right.ticks { return true }
        return left.parts == right.parts
    }

    /// Orders two times exactly, in any bases.
    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        if left.base == right.base, left.base.numerator > 0 { return left.ticks < right.ticks }
        let (one, other) = (left.parts, right.parts)
        guard one.whole == other.whole else { return one.whole < other.whole }
        // Both rests are less than their denominators, so the products cannot overflow.
        return UInt128(one.rest) * UInt128(other.denominator)
            < UInt128(other.rest) * UInt128(one.denominator)
    }

    /// Hashes the point in time, so that equal times have one hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(parts) }

    /// A time as whole seconds, rounded down, and a fraction in lowest terms.
    private struct Parts: Hashable {
        let whole: Int128
        let rest: UInt64
        let denominator: UInt64
    }

    private var parts: Parts {
        let denominator = base.denominator.magnitude
        var (whole, rest) = product.quotientAndRemainder(dividingBy: Int128(denominator))
        if rest < 0 { (whole, rest) = (whole - 1, rest + Int128(denominator)) }
        let below = UInt64(clamping: rest)
        let divisor = greatestDivisor(below, denominator)
        return Parts(whole: whole, rest: below / divisor, denominator: denominator / divisor)
    }
}

// MARK: - Arithmetic

extension MediaTime {
    /// The sum: exact where a common base can represent it, else to the nanosecond.
    ///
    /// Saturates at the bounds of `Int64` ticks.
    public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
        if left.base == right.base {
            return MediaTime(ticks: saturatingSum(left.ticks, right.ticks), base: left.base)
        }
        return exactSum(left, right)
            ?? MediaTime(
                ticks: saturatingSum(left.duration.nanoseconds, right.duration.nanoseconds),
                base: Rational(1, 1_000_000_000))
    }

    /// The length between two times; exact or rounded as a sum is.
    public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
        if left.base == right.base {
            let (ticks, isTooFar) = left.ticks.subtractingReportingOverflow(right.ticks)
            let end: Int64 = left.ticks < 0 ? .min : .max
            return MediaTime(ticks: isTooFar ? end : ticks, base: left.base)
        }
        let negated = MediaTime(
            ticks: right.ticks == .min ? .max : -right.ticks, base: right.base)
        return left + negated
    }

    private static func saturatingSum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, isTooFar) = one.addingReportingOverflow(other)
        return isTooFar ? (one < 0 ? .min : .max) : sum
    }

    /// The sum over the least common denominator, or nil where that overflows.
    private static func exactSum(_ left: MediaTime, _ right: MediaTime) -> MediaTime? {
        let (one, other) = (left.base.denominator, right.base.denominator)
        let divisor = Int64(clamping: greatestDivisor(one.magnitude, other.magnitude))
        let (common, isTooFine) = one.multipliedReportingOverflow(by: other / divisor)
        guard !isTooFine else { return nil }
        let first = left.product.multipliedReportingOverflow(by: Int128(other / divisor))
        let second = right.product.multipliedReportingOverflow(by: Int128(one / divisor))
        guard !first.overflow, !second.overflow else { return nil }
        let sum = first.partialValue.addingReportingOverflow(second.partialValue)
        guard !sum.overflow, let ticks = Int64(exactly: sum.partialValue) else { return nil }
        return MediaTime(ticks: ticks, base: Rational(1, common))
    }
}
