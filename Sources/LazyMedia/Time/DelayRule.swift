/// Converts a file's delays to those that are used.
public enum DelayRule: Hashable, Sendable {
    /// 10 ms or less become 100 ms, as in Gecko, Blink and WebKit.
    case browsers
    /// As the file says.
    case raw

    /// How long a frame is shown for which the file says `delay`.
    public func effective(_ delay: MediaTime) -> MediaTime {
        guard self == .browsers, delay <= MediaTime(microseconds: 10_000) else { return delay }
        return MediaTime(microseconds: 100_000)
    }

    /// The same in hundredths of a second, GIF's unit.
    public func effective(hundredths: Int) -> Int {
        self == .browsers && hundredths <= 1 ? 10 : hundredths
    }
}
