/// Finds the frame that is shown at a point in playback; a pure function.
///
/// The clock is the caller's: wall time, a rate, or the regular steps of a resampler. A late caller
/// gets the current frame and so drops the frames it missed.
public struct Playhead: Sendable {
    /// What is shown at a point in time.
    public struct Position: Hashable, Sendable {
        /// The number of the play, from 0.
        public let play: Int
        /// The number of the frame in the sequence.
        public let frame: Int
        /// The playback time at which another frame is shown, or nil when none follows.
        public let nextChange: Duration?

        /// Makes a position.
        public init(play: Int, frame: Int, nextChange: Duration?) {
            self.play = play
            self.frame = frame
            self.nextChange = nextChange
        }
    }

    private let index: FrameIndex
    private let plays: Int?
    private let period: Duration

    /// Makes a playhead over the frames of an index, played this often, or forever.
    public init(_ index: FrameIndex, plays: Int?) {
        self.index = index
        self.plays = index.duration > .zero ? plays : min(plays ?? 1, 1)
        period = index.duration
    }

    /// How long playback takes in all, or nil for forever.
    public var duration: Duration? { plays.map { period.multiplied(by: $0) } }

    /// The frame shown at a time after the start of playback.
    ///
    /// Before the start it is the first frame, after the end the last one. Nil only when there is
    /// nothing to show: no frame or no play. O(log n).
    public func position(at time: Duration) -> Position? {
        guard let last = index.timings.last?.index, plays != 0 else { return nil }
        let instant = max(.zero, time)
        if let plays, let duration, instant >= duration {
            return Position(play: plays - 1, frame: last, nextChange: nil)
        }
        let play = period > .zero ? Int(clamping: instant.attoseconds / period.attoseconds) : 0
        let start = period.multiplied(by: play)
        guard let frame = index.frame(at: instant - start) else { return nil }
        let isEnd = frame == last && play + 1 == plays
        let end = frame == last ? period : index.timings[frame + 1].presentation.duration
        return Position(play: play, frame: frame, nextChange: isEnd ? nil : start.adding(end))
    }
}
