internal import LazyMedia

/// A step of time in which all moments of an edit are whole numbers.
struct TimeGrid: Hashable, Sendable {
    /// Steps in a second.
    let perSecond: Int64

    /// Finer steps than these could make a year overflow; nanoseconds do then, rounded.
    private static let finest: Int64 = 1 << 40
    private static let nanoseconds: Int64 = 1_000_000_000

    /// Makes the coarsest grid that all the moments lie on.
    init(_ bases: some Sequence<Rational>, _ durations: [Duration]) {
        var steps: Int64 = 1
        for base in Set(bases) { steps = Self.multiple(steps, base.reduced.denominator) }
        for duration in durations {
            steps = Self.multiple(
                steps, Rational(duration.nanoseconds, Self.nanoseconds).reduced.denominator)
        }
        perSecond = steps > Self.finest ? Self.nanoseconds : steps
    }

    /// The number of steps to a moment, to the nearest.
    func steps(_ time: MediaTime) -> Int64 {
        Self.divided(
            Int128(time.ticks) * Int128(time.base.numerator) * Int128(perSecond),
            Int128(time.base.denominator))
    }

    /// The number of steps of a length, to the nearest.
    func steps(_ duration: Duration) -> Int64 {
        Self.divided(Int128(duration.nanoseconds) * Int128(perSecond), Int128(Self.nanoseconds))
    }

    private static func multiple(_ a: Int64, _ b: Int64) -> Int64 {
        let (product, overflow) = (a / greatestDivisor(a, b)).multipliedReportingOverflow(by: b)
        return overflow || product > finest ? finest + 1 : product
    }

    private static func divided(_ value: Int128, _ divisor: Int128) -> Int64 {
        let half = value < 0 ? -divisor / 2 : divisor / 2
        return Int64(clamping: (value + half) / divisor)
    }
}

/// The greatest common divisor of two numbers that are not both nought.
func greatestDivisor(_ a: Int64, _ b: Int64) -> Int64 {
    var (a, b) = (abs(a), abs(b))
    while b != 0 { (a, b) = (b, a % b) }
    return max(1, a)
}

extension Rational {
    /// The same fraction in its lowest terms.
    var reduced: Rational {
        let divisor = greatestDivisor(numerator, denominator)
        return Rational(numerator / divisor, denominator / divisor)
    }
}

extension Duration {
    /// The whole nanoseconds, to the nearest.
    var nanoseconds: Int64 {
        let (seconds, atto) = components
        let rounded = (atto + (atto < 0 ? -500_000_000 : 500_000_000)) / 1_000_000_000
        return Int64(clamping: Int128(seconds) * 1_000_000_000 + Int128(rounded))
    }
}
