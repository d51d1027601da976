internal import LazyMedia

/// Converts exact durations to hundredths of a second, diffusing rounding errors.
///
/// Browsers show a frame of 0 or 1 hundredths for 10, so each gets at least 2. What this adds is
/// taken from later frames; a frame that ends before it begins is dropped.
struct GIFDelays {
    /// The shortest delay that browsers respect.
    static let least = 2
    /// The longest delay of the format.
    static let most = 65_535
    /// The most images that a longer frame is split into.
    static let maxParts = 1000

    /// The written end of the last frame.
    private var written: Int64 = 0
    /// Its exact end.
    private var wanted = Duration.zero

    /// The delay of the next frame, or nil where it is dropped.
    mutating func delay(_ duration: MediaTime) -> Int? {
        guard duration.ticks > 0 else {
            // No duration given: the shortest delay, not taken from other frames.
            written += Int64(Self.least)
            wanted = wanted.adding(.milliseconds(Self.least * 10))
            return Self.least
        }
        wanted = wanted.adding(duration.duration)
        let rest = wanted.ticks(perSecond: 100, .nearest) - written
        guard rest > 0 || written == 0 else { return nil }
        let delay = max(Self.least, Int(clamping: rest))
        written += Int64(delay)
        return delay
    }

    /// Splits a long delay into delays within the format's bounds.
    static func parts(_ delay: Int) -> [Int] {
        var parts: [Int] = []
        var rest = delay
        while rest > most {
            // The rest must not be too short.
            let part = min(most, rest - least)
            parts.append(part)
            rest -= part
        }
        return parts + [rest]
    }
}
