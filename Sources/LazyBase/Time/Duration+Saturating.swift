/// Arithmetic that cannot trap, for durations from files, servers and users.
///
/// `Duration` counts attoseconds in 128 bits; its `components` trap beyond 2⁶³ s, and its operators
/// beyond 2⁶⁷ s. Here larger results saturate.
extension Duration {
    /// The rounding to whole numbers.
    package enum Rounding: Sendable {
        /// Toward zero.
        case down
        /// To the nearest, halves away from zero.
        case nearest
    }

    /// The maximum duration, about 5 × 10¹² years.
    package static let longest = Duration(attoseconds: .max)

    /// The duration in whole ticks of a rate; saturates at the bounds of `Int64`.
    package func ticks(perSecond rate: Int64, _ rounding: Rounding = .down) -> Int64 {
        let (seconds, rest) = attoseconds.magnitude.quotientAndRemainder(dividingBy: Self.second)
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: UInt128(rate.magnitude))
        let isNegative = (attoseconds < 0) != (rate < 0)
        guard !isTooLong else { return isNegative ? .min : .max }
        let half = rounding == .nearest ? Self.second / 2 : 0
        let (sum, isTooFar) = whole.addingReportingOverflow(
            (rest * UInt128(rate.magnitude) + half) / Self.second)
        let ticks = Int128(clamping: isTooFar ? .max : sum)
        return Int64(clamping: isNegative ? -ticks : ticks)
    }

    /// The whole seconds, rounded toward zero; saturates.
    package var wholeSeconds: Int64 { ticks(perSecond: 1) }

    /// The whole milliseconds, rounded toward zero; saturates.
    package var milliseconds: Int64 { ticks(perSecond: 1000) }

    /// The whole microseconds, rounded toward zero; saturates.
    package var microseconds: Int64 { ticks(perSecond: 1_000_000) }

    /// The whole nanoseconds, to the nearest; saturates.
    package var nanoseconds: Int64 { ticks(perSecond: 1_000_000_000, .nearest) }

    /// The sum; saturates.
    package func adding(_ other: Duration) -> Duration {
        let (sum, isTooLong) = attoseconds.addingReportingOverflow(other.attoseconds)
        return isTooLong
            ? (other < .zero ? .zero - .longest : .longest) : Duration(attoseconds: sum)
    }

    /// A multiple; saturates.
    package func multiplied(by count: Int) -> Duration {
        let (product, isTooLong) = attoseconds.multipliedReportingOverflow(by: Int128(count))
        guard isTooLong else { return Duration(attoseconds: product) }
        return (self < .zero) != (count < 0) ? .zero - .longest : .longest
    }

    private static let second: UInt128 = 1_000_000_000_000_000_000
}

extension FixedWidthInteger {
    /// The nearest whole number within the range; 0 for NaN.
    package init(saturating value: Double) {
        let rounded = value.rounded()
        if rounded.isNaN {
            self = 0
        } else if let exact = Self(exactly: rounded) {
            self = exact
        } else {
            self = rounded < 0 ? .min : .max
        }
    }
}
