internal import LazyMedia

/// From exact durations to hundredths of a second; the rounding errors are carried on.
///
/// Browsers show a frame of 0 or 1 hundredths for 10, so that each gets at least 2. What that
/// adds is taken from the frames that follow; a frame whose time is over before it begins is left
/// out.
struct GIFDelays {
    /// The least delay that browsers keep.
    static let least = 2
    /// The most that the format has room for.
    static let most = 65_535
    /// The most images that one frame is made of where it is shown for longer.
    static let mostParts = 1000

    /// When the last frame handed out ends.
    private var written: Int64 = 0
    /// When it should end.
    private var wanted = Duration.zero

    /// The delay of the next frame, or nil where it is left out.
    mutating func delay(_ duration: MediaTime) -> Int? {
        guard duration.ticks > 0 else {
            // It says nothing about its length: the shortest, without taking it from others.
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

    /// The delays of the images that a long delay takes, each within the format's bounds.
    static func parts(_ delay: Int) -> [Int] {
        var parts: [Int] = []
        var rest = delay
        while rest > most {
            // What is left must not be too short itself.
            let part = min(most, rest - least)
            parts.append(part)
            rest -= part
        }
        return parts + [rest]
    }
}
