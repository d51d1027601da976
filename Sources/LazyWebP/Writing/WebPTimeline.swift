internal import LazyMedia

/// When frames begin in whole milliseconds; what is rounded off one goes to the next.
struct WebPTimeline {
    private var exact = Duration.zero
    /// The end of what was added, in milliseconds.
    private(set) var end = 0

    /// Adds a frame's length and returns how many milliseconds of it are written.
    ///
    /// Players show what is written as 10 ms or less for 100 ms: what is longer by a fraction is
    /// written as 11.
    mutating func add(_ length: MediaTime) -> Int {
        let length = max(.zero, length.duration)
        exact += length
        let start = end
        end = max(start, Self.milliseconds(exact))
        if length > .milliseconds(10), end - start <= 10 { end = start + 11 }
        return end - start
    }

    private static func milliseconds(_ time: Duration) -> Int {
        let (seconds, rest) = time.components
        let half: Int64 = 500_000_000_000_000
        return Int(clamping: seconds) * 1000 + Int((rest + half) / (2 * half))
    }

    /// The pieces that a frame of so many milliseconds is shown in: a field has 24 bits.
    static func pieces(_ milliseconds: Int) -> [Int] {
        let most = WebPFrameHeader.longestDuration
        return Array(repeating: most, count: max(0, milliseconds - 1) / most)
            + [milliseconds - max(0, milliseconds - 1) / most * most]
    }
}
