/// What is to be changed about a file's timing.
public struct TimingChange: Hashable, Sendable {
    /// How often it is to play; `.asAuthored` leaves that.
    public var plays: Looping
    /// The delays; nil leaves them.
    public var delays: Delays?

    /// Makes a change.
    public init(plays: Looping = .asAuthored, delays: Delays? = nil) {
        self.plays = plays
        self.delays = delays
    }

    /// The loop count to write, which has at least one play; nil where it is left.
    package var loop: LoopCount? {
        switch plays {
        case .asAuthored: nil
        case .forever: LoopCount(raw: nil, plays: nil)
        case .times(let count): LoopCount(raw: nil, plays: count)
        }
    }

    /// What becomes of the delays.
    public enum Delays: Hashable, Sendable {
        /// Every frame is shown so long, to the nearest step of the format.
        case each(Duration)
        /// Each delay is divided by a factor from 0.01 to 100; the rounding errors are carried on.
        case speed(Double)
    }

    /// The factors of speed that delays and edits take.
    package static let speeds = 0.01...100.0
}
