/// Changes how often a file plays, and how fast, without encoding a pixel anew.
public protocol MediaRewriting: Sendable {
    /// What it rewrites.
    var type: MediaType { get }

    /// Copies a file with the change made; every byte that is not about it stays.
    ///
    /// Blocks. Throws `.notWritable` for what the format cannot carry, `.malformed` and
    /// `.truncated` for a file that cannot be understood, and what `write` throws.
    func rewrite(
        _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
        to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError)
}

/// What is to be changed about a file's timing.
public struct TimingChange: Hashable, Sendable {
    /// The number of plays; nil leaves it.
    public var plays: Plays?
    /// The delays; nil leaves them.
    public var delays: Delays?

    /// Makes a change.
    public init(plays: Plays? = nil, delays: Delays? = nil) {
        self.plays = plays
        self.delays = delays
    }

    /// How often a file is to play.
    public enum Plays: Hashable, Sendable {
        /// Without an end.
        case forever
        /// So many times in all, at least one.
        case times(Int)
    }

    /// What becomes of the delays.
    public enum Delays: Hashable, Sendable {
        /// Every frame is shown so long.
        case each(Duration)
        /// Each delay is divided by a factor above 0; the rounding errors are carried on.
        case speed(Double)
    }
}
