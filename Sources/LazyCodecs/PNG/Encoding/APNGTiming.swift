internal import LazyMedia

/// A delay as in `fcTL`: a fraction of a second in two 16-bit numbers.
struct APNGDelay: Equatable {
    let numerator: UInt16
    let denominator: UInt16

    /// Converts a time: exactly where both numbers fit, else to the nearest fraction.
    init(_ time: MediaTime) {
        let (product, overflow) = time.ticks.multipliedReportingOverflow(by: time.base.numerator)
        guard product > 0, !overflow else {
            (numerator, denominator) = (overflow && time.ticks > 0 ? .max : 0, overflow ? 1 : 1000)
            return
        }
        (numerator, denominator) = Self.nearest(product, time.base.denominator)
    }

    /// Whether it is a time exactly.
    func isExactly(_ time: MediaTime) -> Bool {
        let (product, overflow) = time.ticks.multipliedReportingOverflow(by: time.base.numerator)
        return !overflow
            && Int128(product) * Int128(denominator)
                == Int128(numerator) * Int128(time.base.denominator)
    }

    /// The last convergent of the continued fraction that fits.
    private static func nearest(_ top: Int64, _ bottom: Int64) -> (UInt16, UInt16) {
        var (top, bottom) = (top, bottom)
        var last: (Int64, Int64) = (0, 1)
        var best: (Int64, Int64) = (1, 0)
        while bottom > 0 {
            let (whole, rest) = top.quotientAndRemainder(dividingBy: bottom)
            guard whole <= Int64(UInt16.max) else { break }
            let next = (whole * best.0 + last.0, whole * best.1 + last.1)
            guard next.0 <= Int64(UInt16.max), next.1 <= Int64(UInt16.max) else { break }
            (last, best) = (best, next)
            (top, bottom) = (bottom, rest)
        }
        // Longer than the longest fraction (18 hours), or shorter than the shortest.
        guard best.1 > 0 else { return (.max, 1) }
        return best.0 == 0 ? (1, .max) : (UInt16(best.0), UInt16(best.1))
    }
}
