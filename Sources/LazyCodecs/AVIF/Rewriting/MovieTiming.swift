internal import LazyMedia

/// A track's frame durations in ticks of a timescale.
struct MovieTiming {
    /// Ticks a second.
    let timescale: UInt32
    /// The duration of each frame.
    let ticks: [UInt32]

    /// The total duration.
    var total: UInt64 { ticks.reduce(0) { $0 + UInt64($1) } }

    /// Finds a timescale in which all durations are whole, or else rounds to microseconds without
    /// drift.
    init(_ durations: [MediaTime]) {
        if let exact = Self.exact(durations) {
            self = exact
            return
        }
        // The finest timescale that fits the longest frame: 71 minutes are 2³² microseconds.
        let longest = durations.map { $0.duration.wholeSeconds }.max() ?? 0
        let scale = [1_000_000, 90_000, 1000].first { longest < Int64(UInt32.max) / $0 - 1 } ?? 1
        timescale = UInt32(scale)
        // Ends are rounded, so that errors do not add up.
        var end = Duration.zero
        var written: Int64 = 0
        ticks = durations.map { time in
            end = end.adding(max(.zero, time.duration))
            let next = end.ticks(perSecond: scale, .nearest)
            defer { written = next }
            return UInt32(clamping: next - written)
        }
    }

    private init(timescale: UInt32, ticks: [UInt32]) {
        self.timescale = timescale
        self.ticks = ticks
    }

    private static func exact(_ durations: [MediaTime]) -> MovieTiming? {
        var scale: Int64 = 1
        for time in durations {
            // A reduced fraction needs the smallest timescale.
            let top = time.ticks.multipliedReportingOverflow(by: time.base.numerator)
            guard !top.overflow, top.partialValue >= 0 else { return nil }
            let needed =
                time.base.denominator / greatestDivisor(top.partialValue, time.base.denominator)
            let common = (scale / greatestDivisor(scale, needed)).multipliedReportingOverflow(
                by: needed)
            guard !common.overflow, common.partialValue <= Int32.max else { return nil }
            scale = common.partialValue
        }
        var ticks: [UInt32] = []
        ticks.reserveCapacity(durations.count)
        for time in durations {
            let product = Int128(time.ticks) * Int128(time.base.numerator) * Int128(scale)
            guard let length = UInt32(exactly: product / Int128(time.base.denominator)) else {
                return nil
            }
            ticks.append(length)
        }
        // Players may not expect a timescale of a few hertz: at least a thousand.
        let least = max(1, 1000 / scale + (1000 % scale > 0 ? 1 : 0))
        let most = Int64(UInt32.max) / max(1, Int64(ticks.max() ?? 1))
        guard least <= most, scale * least <= Int32.max else {
            return MovieTiming(timescale: UInt32(scale), ticks: ticks)
        }
        return MovieTiming(
            timescale: UInt32(scale * least), ticks: ticks.map { $0 * UInt32(least) })
    }

    /// The box of the durations (ISO/IEC 14496-12, 8.6.1.2): runs of equal ones.
    var box: [UInt8] {
        var runs: [(UInt32, UInt32)] = []
        for length in ticks {
            if let last = runs.last, last.1 == length {
                runs[runs.count - 1].0 += 1
            } else {
                runs.append((1, length))
            }
        }
        return ISOBox.makeFull(
            "stts", version: 0,
            runs.count.bigEndianBytes32 + runs.flatMap { $0.0.bigEndianBytes + $0.1.bigEndianBytes }
        )
    }
}
