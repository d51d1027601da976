internal import LazyMedia

/// How many steps of a frame rate have come by a time: those whose middle, (k + ½) / rate, has.
///
/// So each step shows the frame that is on screen in its middle, which errs least in time. What begins
/// in the very middle waits for the next step, as in ffmpeg's filter `fps`. A fraction whose products
/// with lengths have room: a file may say that a frame is shown for a thousand years.
struct RateSteps {
    private let above: Int128
    private let below: Int128

    /// Makes the fraction for times in ticks of a base.
    init(_ base: Rational, _ rate: Rational) throws(MediaError) {
        let above = Int128(base.numerator) * Int128(rate.numerator)
        let below = Int128(base.denominator) * Int128(rate.denominator)
        let divisor = Int128(clamping: greatestDivisor(above.magnitude, below.magnitude))
        (self.above, self.below) = (above / divisor, below / divisor)
        guard self.above < 1 << 64, self.below < 1 << 124 else {
            throw MediaError(
                .unsupported, "The frame rate is too fine beside the times of the file.")
        }
    }

    /// The steps whose middle has come by the end of so many ticks.
    func count(by ticks: Int64) -> Int64 {
        Int64(clamping: (2 * Int128(ticks) * above + below) / (2 * below))
    }

    /// The steps of a rate whose middle has come by a time.
    static func count(of rate: Rational, by time: MediaTime) throws(MediaError) -> Int64 {
        try max(0, RateSteps(time.base, rate).count(by: time.ticks))
    }
}
