public import LazyMedia

/// What becomes of exact delays in a format that counts in coarser steps.
public struct TimingLoss: Hashable, Sendable {
    /// Frames whose delay is no whole number of the format's steps.
    public var rounded = 0
    /// Frames whose delay comes out longer or shorter by 5 ms or more, which can be seen.
    public var visiblyRounded = 0
    /// Frames whose delay is shorter than players keep in that format.
    public var tooShort = 0
    /// The shortest of all delays, in microseconds; nil without frames.
    public var shortest: Int64?

    /// Compares delays with what a format can say.
    ///
    /// Steps of a microsecond stand for formats that count in fractions, which can say everything.
    public init(_ timings: [FrameTiming], in traits: FormatTraits) {
        let step = max(1, traits.timeStep)
        var (exact, written): (Int64, Int64) = (0, 0)
        for timing in timings {
            let delay = timing.duration
            // As encoders round: the error of a delay is carried on to the next.
            exact = exact.addingReportingOverflow(delay.microseconds).partialValue
            let steps = max(1, (exact &- written &+ step / 2) / step)
            written = written &+ steps &* step
            if (steps &* step &- delay.microseconds).magnitude >= Self.leastVisible {
                visiblyRounded += 1
            }
            if !Self.isWhole(delay, step: traits.timeStep) { rounded += 1 }
            let length = delay.microseconds
            shortest = min(shortest ?? length, length)
            // A still has no delay, and one frame is never followed by another.
            if timings.count > 1, length < traits.leastDelay { tooShort += 1 }
        }
    }

    /// Less than this is not told: 41 ms beside 42 ms is seen by nobody.
    private static let leastVisible: UInt64 = 5000

    private static func isWhole(_ delay: MediaTime, step: Int64) -> Bool {
        guard step > 1 else { return true }
        // ticks * numerator / denominator seconds, in steps: a whole number or not, exactly.
        let (high, low) = delay.ticks.multipliedFullWidth(by: delay.base.numerator)
        let product = Int128(high) << 64 | Int128(low)
        let (micro, isTooLong) = product.multipliedReportingOverflow(by: 1_000_000)
        guard !isTooLong else { return true }
        let (unit, isTooCoarse) = Int128(delay.base.denominator)
            .multipliedReportingOverflow(by: Int128(step))
        return isTooCoarse || micro % unit == 0
    }
}
