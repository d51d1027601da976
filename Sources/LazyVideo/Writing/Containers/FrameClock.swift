internal import LazyMedia

/// The times of a clip's frames while it is encoded; pure.
///
/// Times begin at 0, or behind the sound that is heard first, and are sums of the frames' durations, kept in attoseconds, so that
/// rounding to a format's ticks happens once, at the end, and errors do not add up.
struct FrameClock {
    /// The times for encoders: the start of each frame, and the end of the last one, in microseconds, with
    /// no frame longer than a minute.
    ///
    /// libaom fails with pauses of an hour, and no encoder needs their length.
    private(set) var micros: [Int64] = [0]
    private var exact: [Int128]
    private var denominator: Int64? = 1

    private static let longestStep: Int64 = 60_000_000
    /// In seconds these are 31 bits, the width in an MP4's tables.
    private static let longest = Duration.seconds(Int64(Int32.max))
    /// Finer ticks than these are rounded.
    private static let finest: Int64 = 1_000_000

    /// Makes a clock whose first frame is shown after a time.
    init(after lead: Duration = .zero) {
        exact = [max(.zero, lead).attoseconds]
        if lead > .zero { denominator = nil }
    }

    /// How long the clip plays, with the time before its first frame, in seconds.
    var duration: Double { Duration(attoseconds: exact[count]) / .seconds(1) }

    /// The number of frames.
    var count: Int { micros.count - 1 }

    /// Adds a frame; one without a duration is shown for a tenth of a second, as in browsers.
    ///
    /// Throws `.notWritable` where the clip becomes longer than the containers can store.
    mutating func add(_ duration: MediaTime) throws(MediaError) {
        let length =
            duration.microseconds > 0
            ? duration : MediaTime(ticks: 1, base: Rational(1, 10))
        let end = exact[count] + length.duration.attoseconds
        guard end <= Self.longest.attoseconds else {
            throw MediaError(.notWritable, "A video cannot play for more than 68 years.")
        }
        let step =
            Self.round(end, perSecond: 1_000_000)
            - Self.round(exact[count], perSecond: 1_000_000)
        exact.append(end)
        // Encoders need strictly increasing times.
        micros.append(micros[count] + min(max(1, step), Self.longestStep))
        denominator = denominator.flatMap { Self.common($0, length) }
    }

    /// The number of the frame that starts at a time in microseconds, or nil.
    func number(at time: Int64) -> Int? {
        let number = micros[..<count].partitionPoint { $0 < time }
        return number < count && micros[number] == time ? number : nil
    }

    /// Ticks per second in which all times are whole numbers, else 90,000.
    var timescale: Int64 {
        guard var scale = denominator else { return 90_000 }
        // Some readers derive a low frame rate from few ticks per second.
        while scale < 1000 { scale *= 2 }
        return scale
    }

    /// The start of each frame and the end of the last one, in ticks of a rate.
    func ticks(perSecond: Int64) -> [Int64] {
        var ticks: [Int64] = []
        ticks.reserveCapacity(exact.count)
        for time in exact {
            let tick = Self.round(time, perSecond: perSecond)
            ticks.append(ticks.last.map { max($0 + 1, tick) } ?? tick)
        }
        return ticks
    }

    private static func round(_ time: Int128, perSecond: Int64) -> Int64 {
        Duration(attoseconds: time).ticks(perSecond: perSecond, .nearest)
    }

    /// The least common denominator with one more time, or nil beyond the finest.
    private static func common(_ denominator: Int64, _ time: MediaTime) -> Int64? {
        let (product, isTooLarge) = time.ticks.multipliedReportingOverflow(
            by: time.base.numerator)
        guard !isTooLarge else { return nil }
        let own = Rational(product, time.base.denominator).reduced.denominator
        guard own <= finest else { return nil }
        let divisor = greatestDivisor(denominator.magnitude, own.magnitude)
        let common = denominator / Int64(clamping: divisor) * own
        return common <= finest ? common : nil
    }
}
