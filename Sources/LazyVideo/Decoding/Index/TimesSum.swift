/// The times of a whole sequence in one number, to tell whether two are the same.
struct TimesSum: Equatable {
    private var count: Int64 = 0
    private var sum: Int64 = 0

    /// The sum of no frames.
    init() {}

    /// The sum of an index.
    init(_ index: PacketIndex) {
        for frame in index.frames { add(frame.ticks) }
    }

    /// Adds the next frame's time.
    mutating func add(_ ticks: Int64) {
        count += 1
        sum = sum &* 31 &+ ticks
    }
}
