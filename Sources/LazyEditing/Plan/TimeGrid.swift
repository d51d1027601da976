internal import LazyMedia

/// A unit of time in which all times of an edit are whole numbers.
struct TimeGrid: Hashable, Sendable {
    /// Units per second.
    let perSecond: Int64

    /// With finer units a year could overflow; times are rounded to nanoseconds then.
    private static let finest: Int64 = 1 << 40
    private static let nanoseconds: Int64 = 1_000_000_000

    /// Makes the coarsest grid that contains all times.
    init(_ bases: some Sequence<Rational>, _ durations: [Duration]) {
        var steps: Int64 = 1
        for base in Set(bases) { steps = Self.multiple(steps, base.reduced.denominator) }
        for duration in durations {
            steps = Self.multiple(steps, MediaTime(duration).wholeBase.denominator)
        }
        perSecond = steps > Self.finest ? Self.nanoseconds : steps
    }

    /// A time in units, rounded to the nearest.
    func steps(_ time: MediaTime) -> Int64 { time.ticks(perSecond: perSecond, .nearest) }

    /// A length in units, rounded to the nearest.
    func steps(_ duration: Duration) -> Int64 { steps(MediaTime(duration)) }

    private static func multiple(_ a: Int64, _ b: Int64) -> Int64 {
        let divisor = Int64(clamping: greatestDivisor(a.magnitude, b.magnitude))
        let (product, overflow) = (a / divisor).multipliedReportingOverflow(by: b)
        return overflow || product > finest ? finest + 1 : product
    }
}

extension MediaTime {
    /// The coarsest time base in which the time is whole.
    fileprivate var wholeBase: Rational { Rational(ticks, base.denominator).reduced }
}
