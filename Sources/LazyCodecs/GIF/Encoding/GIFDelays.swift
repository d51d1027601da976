internal import LazyMedia

/// Converts exact durations to hundredths of a second, diffusing rounding errors.
///
/// Browsers show a frame of 0 or 1 hundredths for 10, so each gets at least 2 (`SteppedDelays`).
struct GIFDelays {
    /// The unit of the format, in microseconds.
    static let step: Int64 = 10_000
    /// The shortest delay that browsers respect.
    static let least = 2
    /// The longest delay of the format.
    static let most = 65_535
    /// The most images that a longer frame is split into.
    static let maxParts = 1000

    private var delays = SteppedDelays(step: step, least: Int64(least))

    /// The delay of the next frame, or nil where it is dropped.
    mutating func delay(_ duration: MediaTime) -> Int? {
        delays.next(duration).map { Int(clamping: $0) }
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
