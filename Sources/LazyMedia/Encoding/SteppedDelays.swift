/// Converts exact durations to whole steps, none below a least one, diffusing rounding errors.
///
/// What the least delay adds is taken from later frames; a frame that ends before it begins is left out.
package struct SteppedDelays: Sendable {
    private let perSecond: Int64
    private let least: Int64
    /// The written end of the last frame, in steps.
    private var written: Int64 = 0
    /// Its exact end.
    private var wanted = Duration.zero

    /// Makes delays in steps of this many microseconds, each of at least `least` of them.
    package init(step: Int64, least: Int64) {
        perSecond = 1_000_000 / min(max(1, step), 1_000_000)
        self.least = max(1, least)
    }

    /// The delay of the next frame in steps, or nil where it is left out.
    package mutating func next(_ duration: MediaTime) -> Int64? {
        guard duration.ticks > 0 else {
            // No duration given: the shortest delay, not taken from other frames.
            add(least)
            wanted = wanted.adding(.microseconds(least * 1_000_000 / perSecond))
            return least
        }
        wanted = wanted.adding(duration.duration)
        let rest = wanted.ticks(perSecond: perSecond, .nearest) - written
        guard rest > 0 || written == 0 else { return nil }
        let delay = max(least, rest)
        add(delay)
        return delay
    }

    private mutating func add(_ delay: Int64) {
        let (end, isTooLong) = written.addingReportingOverflow(delay)
        written = isTooLong ? .max : end
    }
}
