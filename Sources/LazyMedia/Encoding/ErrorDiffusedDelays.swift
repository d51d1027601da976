/// Converts a file's delays to whole steps; the rounding errors of a speed are carried to the next delay.
package struct ErrorDiffusedDelays: Sendable {
    private let change: TimingChange.Delays
    private let step: Duration
    private let least: Int64
    private var rest = Duration.zero

    /// Makes delays in steps of this many microseconds.
    ///
    /// A changed speed starts from the delays that browsers use, and yields none that they would
    /// lengthen: at least `least` steps.
    package init(_ change: TimingChange.Delays, step: Int64, least: Int64) throws(MediaError) {
        switch change {
        case .each(let length):
            guard length >= .zero else {
                throw MediaError(.notWritable, "A delay cannot be negative.")
            }
        case .speed(let factor):
            guard TimingChange.speeds.contains(factor) else {
                throw MediaError(.notWritable, "The speed is a factor from 0.01 to 100.")
            }
        }
        self.change = change
        self.step = .microseconds(step)
        self.least = least
    }

    /// The new delay of a frame, in steps.
    package mutating func next(_ delay: MediaTime) -> Int64 {
        switch change {
        case .each(let length):
            return Self.steps(length, step: step, least: least)
        case .speed(let factor):
            return rounded(DelayRule.browsers.effective(delay).duration / factor, least: least)
        }
    }

    /// The steps of a delay that all frames have: the nearest, and no fewer than browsers keep, unless it is one that
    /// they lengthen.
    package static func steps(_ length: Duration, step: Duration, least: Int64) -> Int64 {
        let steps = Int64(saturating: (length / step).rounded())
        let isLengthened = DelayRule.browsers.effective(MediaTime(length)).duration != length
        return isLengthened ? steps : max(least, steps)
    }

    private mutating func rounded(_ length: Duration, least: Int64) -> Int64 {
        let wanted = length.adding(rest)
        let steps = max(least, Int64(saturating: wanted / step))
        rest = wanted.adding(step.multiplied(by: -Int(clamping: steps)))
        return steps
    }
}
