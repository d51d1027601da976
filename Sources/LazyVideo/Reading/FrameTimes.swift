internal import LazyMedia

/// The times and numbers of a reader's frames, as their pictures come.
struct FrameTimes {
    /// The ticks of the first frame, once known.
    private(set) var first: Int64?
    /// Whether the frame number is only estimated from the time.
    private(set) var isEstimated = false
    /// The number of the previous frame, or nil after a seek.
    private(set) var lastNumber: Int?
    /// The previous frame's duration, or nil after a seek.
    private(set) var lastLength: Int64?
    /// The times of all frames since the first, or nil where not all of them are read.
    private(set) var sum: TimesSum?
    // The zero of the film in ticks; nil where it is the first frame.
    private let zero: Int64?

    init(from zero: Int64?, countsAll: Bool) {
        self.zero = zero
        if countsAll { sum = TimesSum() }
    }

    /// The ticks from which times are counted, once known.
    var origin: Int64? { first.map { PacketIndex.origin(zero, first: $0) } }

    /// Knows the first frame's ticks, or that they are unknown.
    mutating func begin(at first: Int64?) { self.first = first }

    /// Not all frames are going to be read.
    mutating func leaveOut() { sum = nil }

    /// A seek begins, after which numbers need not ascend.
    mutating func willSeek() { lastNumber = nil }

    /// The next frame is another one than that after the last.
    mutating func didMove() { lastLength = nil }

    /// The number of the next frame is exact, or an estimate.
    mutating func setEstimated(_ isEstimated: Bool) { self.isEstimated = isEstimated }

    /// The timing of the next frame, from its number and its length in ticks.
    mutating func timing(
        of picture: Picture, _ number: Int, length: Int64, base: Rational
    ) -> FrameTiming {
        lastLength = length
        return FrameTiming(
            index: lastNumber.map { max(number, $0 + 1) } ?? number,
            presentation: MediaTime(
                ticks: picture.ticks.since(origin ?? picture.ticks), base: base),
            duration: MediaTime(ticks: length, base: base), isKeyframe: picture.isKey)
    }

    /// A frame was read.
    mutating func didRead(_ timing: FrameTiming, _ picture: Picture) {
        lastNumber = timing.index
        sum?.add(picture.ticks)
    }
}
