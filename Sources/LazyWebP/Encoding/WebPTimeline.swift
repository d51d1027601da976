internal import LazyMedia

/// When frames begin in whole milliseconds; what is rounded off one goes to the next.
struct WebPTimeline {
    /// No frame counts for longer, so that the sum has room; far more than can be written.
    private static let longest = Duration.seconds(Int64(Int32.max))
    /// The most pieces that a frame is shown in.
    static let mostPieces = 1000

    private var exact = Duration.zero
    /// The end of what was added, in milliseconds.
    private(set) var end = 0

    /// Adds a frame's length and returns how many milliseconds of it are written.
    ///
    /// Players show what is written as 10 ms or less for 100 ms: what is longer by a fraction is
    /// written as 11.
    mutating func add(_ length: MediaTime) -> Int {
        let length = min(max(.zero, length.duration), Self.longest)
        exact = exact.adding(length)
        let start = end
        end = max(start, Int(clamping: exact.ticks(perSecond: 1000, .nearest)))
        if length > .milliseconds(10), end - start <= 10 { end = start + 11 }
        return end - start
    }

    /// The pieces that a frame of so many milliseconds is shown in: a field has 24 bits.
    static func pieces(_ milliseconds: Int) -> [Int] {
        let most = WebPFrameHeader.longestDuration
        return Array(repeating: most, count: max(0, milliseconds - 1) / most)
            + [milliseconds - max(0, milliseconds - 1) / most * most]
    }
}
