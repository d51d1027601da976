internal import LazyMedia

/// Durations in whole milliseconds, with rounding errors diffused.
struct WebPTimeline {
    /// Longer durations are clamped, so that sums do not overflow; far more than can be written.
    private static let longest = Duration.seconds(Int64(Int32.max))
    /// The most pieces that a long frame is split into.
    static let maxPieces = 1000

    private var exact = Duration.zero
    /// The end of the last frame, in milliseconds.
    private(set) var end = 0

    /// Adds a frame's duration and returns the milliseconds to write.
    ///
    /// Players show 10 ms or less as 100 ms, so fractions above 10 ms are written as 11.
    mutating func add(_ length: MediaTime) -> Int {
        let length = min(max(.zero, length.duration), Self.longest)
        exact = exact.adding(length)
        let start = end
        end = max(start, Int(clamping: exact.ticks(perSecond: 1000, .nearest)))
        if length > .milliseconds(10), end - start <= 10 { end = start + 11 }
        return end - start
    }

    /// Splits a duration in milliseconds into pieces of 24 bits.
    static func pieces(_ milliseconds: Int) -> [Int] {
        let most = WebPFrameHeader.longestDuration
        return Array(repeating: most, count: max(0, milliseconds - 1) / most)
            + [milliseconds - max(0, milliseconds - 1) / most * most]
    }
}
