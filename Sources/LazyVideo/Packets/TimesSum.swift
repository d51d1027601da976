/// A checksum of a sequence's frame times.
struct TimesSum: Equatable {
    private var count: Int64 = 0
    private var sum: Int64 = 0

    /// The checksum of no frames.
    init() {}

    /// The checksum of an index.
    init(_ index: PacketIndex) {
        for frame in index.frames { add(frame.ticks) }
    }

    /// Adds the next frame's time.
    mutating func add(_ ticks: Int64) {
        count += 1
        sum = sum &* 31 &+ ticks
    }
}
