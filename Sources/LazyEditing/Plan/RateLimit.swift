internal import LazyMedia

/// Makes a frame rate the highest one: frames that follow each other faster are resampled, and others keep their times.
///
/// A rate that is not below the source's changes nothing. A recording of a screen has both: its still parts keep their
/// exact times, and its moving parts get the rate.
struct RateLimit {
    /// Times in a file are rounded, to milliseconds in Matroska; so much shorter than a step is no other rate.
    private static let rounding = Rational(1, 1000)

    private let base: Rational
    private let rate: Rational
    /// Ticks of a step, as a fraction.
    private let step: (above: Int128, below: Int128)
    /// Ticks within which a time may be rounded, as a fraction of `step.below`.
    private let slack: Int128

    init(_ base: Rational, _ rate: Rational) throws(MediaError) {
        // That no product below overflows is what `RateSteps` checks.
        _ = try RateSteps(base, rate)
        (self.base, self.rate) = (base, rate)
        let (wide, narrow) = (
            Int128(rate.denominator) * Int128(base.denominator),
            Int128(rate.numerator) * Int128(base.numerator)
        )
        let divisor = Int128(clamping: greatestDivisor(wide.magnitude, narrow.magnitude))
        let (above, below) = (wide / divisor, narrow / divisor)
        step = (above, below)
        // A millisecond, in ticks times `below`, but no more than an eighth of a step.
        let (ticks, isFine) = below.multipliedReportingOverflow(by: Int128(base.denominator))
        let perSecond = Int128(Self.rounding.denominator) * Int128(base.numerator)
        slack = isFine ? above / 8 : min(ticks / perSecond, above / 8)
    }

    /// Whether no product of ticks and steps overflows; other times are all resampled.
    private func fits(_ entries: [EditPlan.Entry]) -> Bool {
        let total = entries.reduce(Int64(0)) { $0 + $1.length }
        let most = Int128(1) << 60
        return step.above < Int128(1) << 80 && Int128(total) < most / max(1, min(step.below, most))
            && Int128(base.denominator) < most / max(1, min(step.below, most))
    }

    /// The frames at the rate at most, and the time base of their lengths; unless times are kept, all frames are
    /// resampled where some are too fast, and none is shown for less than a step.
    func limited(
        _ entries: [EditPlan.Entry], keepingTimes keepsTimes: Bool
    ) throws(MediaError) -> (entries: [EditPlan.Entry], base: Rational) {
        guard entries.contains(where: { $0.length > 0 }) else { return (entries, base) }
        guard fits(entries) else { return try resampled(entries) }
        let runs = runs(entries)
        if runs.isEmpty { return (entries, base) }
        if runs == [0..<entries.count] || !keepsTimes { return try resampled(entries) }
        return try mixed(entries, runs)
    }

    // MARK: - What is too fast

    /// Whether so many frames of so many ticks together are faster than the rate allows.
    private func isTooFast(_ count: Int, _ ticks: Int64) -> Bool {
        Int128(ticks) * step.below + slack < Int128(count) * step.above
    }

    /// Runs of frames that are shown for less than a step, and together are too fast.
    ///
    /// Where rounding makes every third frame long enough (33, 33 and 34 ms), the frames are no run. A frame between two
    /// runs that is not long enough for two steps belongs to them.
    private func runs(_ entries: [EditPlan.Entry]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        func close(at end: Int) {
            guard let first = start else { return }
            start = nil
            let ticks = entries[first..<end].reduce(Int64(0)) { $0 + $1.length }
            guard isTooFast(end - first, ticks) else { return }
            if let last = runs.last, isClose(entries[last.upperBound..<first]) {
                runs[runs.count - 1] = last.lowerBound..<end
            } else {
                runs.append(first..<end)
            }
        }
        for (number, entry) in entries.enumerated() {
            let isShort = Int128(entry.length) * step.below < step.above
            if isShort {
                if start == nil { start = number }
            } else {
                close(at: number)
            }
        }
        close(at: entries.count)
        return runs
    }

    /// Whether frames between two runs are so short that both runs are one.
    private func isClose(_ entries: ArraySlice<EditPlan.Entry>) -> Bool {
        let ticks = entries.reduce(Int64(0)) { $0 + $1.length }
        return Int128(ticks) * step.below < 2 * step.above * Int128(max(1, entries.count))
    }

    // MARK: - Resampling

    /// At each step of the rate the frame that is shown in its middle (`RateSteps`).
    ///
    /// Steps are counted, not enumerated: a frame shown for several stays one frame.
    private func resampled(
        _ entries: [EditPlan.Entry]
    ) throws(MediaError) -> (entries: [EditPlan.Entry], base: Rational) {
        let chosen = try chosen(entries, isWhole: true)
        return (
            chosen.map { .init(source: $0.source, length: $0.steps) },
            Rational(rate.denominator, rate.numerator).reduced
        )
    }

    private func chosen(
        _ entries: some Collection<EditPlan.Entry>, isWhole: Bool
    ) throws(MediaError) -> [(source: Int, steps: Int64)] {
        let grid = try RateSteps(base, rate)
        let steps = grid.count(by: entries.reduce(0) { $0 + $1.length })
        let total = isWhole ? max(1, steps) : steps
        var chosen: [(Int, Int64)] = []
        var (end, taken): (Int64, Int64) = (0, 0)
        for (number, entry) in entries.enumerated() {
            end += entry.length
            let through = number + 1 == entries.count ? total : grid.count(by: end)
            guard through > taken else { continue }
            chosen.append((entry.source, through - taken))
            taken = through
        }
        return chosen
    }

    /// Each run by itself, from its start to its end; what is too short for a step is the time of the frame before.
    private func mixed(
        _ entries: [EditPlan.Entry], _ runs: [Range<Int>]
    ) throws(MediaError) -> (entries: [EditPlan.Entry], base: Rational) {
        // Ticks and steps in a unit that divides both.
        let (perTick, perStep) = (step.below, step.above)
        let unit = base.reduced
        let fine = unit.denominator * Int64(perTick)
        func units(_ ticks: Int64) -> Int64 { Int64(clamping: Int128(ticks) * perTick) }
        var result: [EditPlan.Entry] = []
        func append(_ source: Int, _ length: Int64) {
            result.append(.init(source: source, length: length))
        }
        var next = 0
        // Time at the beginning that no frame was taken of.
        var early: Int64 = 0
        func take(_ entry: EditPlan.Entry) {
            append(entry.source, units(entry.length) + early)
            early = 0
        }
        for run in runs {
            for entry in entries[next..<run.lowerBound] { take(entry) }
            next = run.upperBound
            var rest = units(entries[run].reduce(0) { $0 + $1.length })
            let chosen = try chosen(entries[run], isWhole: false)
            for (number, frame) in chosen.enumerated() {
                let isLast = number + 1 == chosen.count
                let length =
                    isLast ? rest : min(rest, Int64(clamping: Int128(frame.steps) * perStep))
                append(frame.source, length)
                rest -= length
            }
            if chosen.isEmpty, result.isEmpty {
                early += rest
            } else if chosen.isEmpty {
                result[result.count - 1].length += rest
            }
        }
        for entry in entries[next...] { take(entry) }
        return (result, Rational(unit.numerator, fine).reduced)
    }
}
