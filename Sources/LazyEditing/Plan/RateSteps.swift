internal import LazyMedia

/// Counts the steps of a frame rate whose middle, (k + ½) / rate, has passed by a time.
///
/// Each step shows the frame that is on screen in its middle, which minimizes the mean error. A frame
/// that starts exactly in the middle waits for the next step, as in ffmpeg's `fps` filter. Products
/// with lengths do not overflow: a file may say that a frame is shown for a thousand years.
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

    /// The steps whose middle has passed after a number of ticks.
    func count(by ticks: Int64) -> Int64 {
        Int64(clamping: (2 * Int128(ticks) * above + below) / (2 * below))
    }

    /// The steps of a rate whose middle has passed by a time.
    static func count(of rate: Rational, by time: MediaTime) throws(MediaError) -> Int64 {
        try max(0, RateSteps(time.base, rate).count(by: time.ticks))
    }
}
