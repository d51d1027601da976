public import LazyMedia

/// The loss of precision of delays in a format with coarser steps.
public struct TimingLoss: Hashable, Sendable {
    /// Frames whose delay is not a whole number of steps.
    public var rounded = 0
    /// Frames whose delay changes by 5 ms or more, which is visible.
    public var visiblyRounded = 0
    /// Frames that are written with a shorter delay than players support in the format.
    public var tooShort = 0
    /// Frames that are left out, because the format's encoder writes no delay so short.
    public var omitted = 0
    /// The shortest of all delays, in microseconds; nil without frames.
    public var shortest: Int64?

    /// Compares delays with the steps of a format.
    ///
    /// A step of a microsecond means fractions, which can express every delay.
    public init(_ timings: [FrameTiming], in traits: FormatTraits) {
        let step = max(1, traits.timeStep)
        let least = traits.omitsShort ? traits.shortestDelay / step : 1
        // Encoders diffuse the rounding error of a delay to the next.
        var delays = SteppedDelays(step: step, least: least)
        for timing in timings {
            let (delay, length) = (timing.duration, timing.duration.microseconds)
            shortest = min(shortest ?? length, length)
            if !Self.isWhole(delay, step: traits.timeStep) { rounded += 1 }
            // Of formats that leave out nothing, no frame is shorter than a step.
            let next = delays.next(delay) ?? (traits.omitsShort ? nil : 1)
            guard let steps = next else {
                omitted += 1
                continue
            }
            if length > 0, (steps &* step &- length).magnitude >= Self.leastVisible {
                visiblyRounded += 1
            }
            // The delay of a single frame does not matter; that of GIF is long enough.
            if timings.count > 1, !traits.omitsShort, length < traits.shortestDelay {
                tooShort += 1
            }
        }
    }

    /// Smaller changes are not reported: 41 ms and 42 ms look the same.
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
