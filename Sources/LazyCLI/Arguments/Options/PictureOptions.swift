internal import ArgumentParser
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// How several pictures and clips become one animation.
struct PictureOptions: ParsableArguments {
    @Flag(help: "Join all inputs into one output, one after the other.")
    var concat = false

    @Option(
        "How long pictures of a list or a folder are shown: one time, or one for each file with commas (0.5,0.5,2); the last is for all that follow. Default: the times of the list, those of --fps, or 0.1 s.",
        Words.delays, as: "times")
    var delay: [MediaTime] = []

    /// Reading with these options; `rate` is that of pictures without a time.
    func timing(_ reading: Reading, rate: Rational?) -> Reading {
        var reading = reading
        reading.pictures.delays = delay
        reading.pictures.joinsFolders = true
        if let rate {
            reading.pictures.usual = MediaTime(
                ticks: rate.denominator, base: Rational(1, rate.numerator))
        }
        return reading
    }
}
