internal import LazyMedia

/// Which frame is shown at which instant of playback, forwards and backwards; pure.
struct PlaybackSchedule {
    /// The frame of an instant.
    struct Position: Hashable {
        /// The index of the frame.
        var frame: Int
        /// The number of the play.
        var play: Int
        /// The instant of the next frame or of the end; nil if nothing follows.
        var nextChange: Duration?
        /// Whether playback has reached its end in its direction.
        var isEnd = false
    }

    let index: FrameIndex
    /// The number of plays, or nil for an endless loop.
    let plays: Int?
    /// Whether more frames are to come, so that playback waits at the end.
    let isPartial: Bool
    private let head: Playhead

    init(_ index: FrameIndex, plays: Int?, isPartial: Bool = false) {
        self.index = index
        self.isPartial = isPartial
        let canRepeat = index.count > 1 && index.duration > .zero && !isPartial
        self.plays = canRepeat ? plays : min(plays ?? 1, 1)
        head = Playhead(index, plays: self.plays)
    }

    /// The number of frames of one play.
    var frameCount: Int { index.count }

    /// The duration of one play.
    var period: Duration { index.duration }

    /// The instant at which playback ends, or nil for never.
    var end: Duration? { head.duration }

    /// The schedule of the first frames, for a sequence that turned out to be shorter.
    func truncated(to count: Int) -> PlaybackSchedule {
        PlaybackSchedule(
            FrameIndex(Array(index.timings.prefix(count))), plays: plays, isPartial: isPartial)
    }

    /// The frame at an instant; nil if there is nothing to show.
    ///
    /// Forwards, a frame is shown from its time on; backwards, until its time: each for its
    /// duration.
    func position(at instant: Duration, isReverse: Bool) -> Position? {
        isReverse ? reversePosition(at: instant) : forwardPosition(at: instant)
    }

    /// The instant of a time within a play.
    func instant(play: Int, time: Duration) -> Duration {
        period * play + min(max(.zero, time), period)
    }

    /// The play an instant belongs to, and the time within it.
    func place(of instant: Duration) -> (play: Int, time: Duration) {
        guard period > .zero, instant > .zero else { return (0, .zero) }
        if let end, let plays, instant >= end { return (max(0, plays - 1), period) }
        let play = Int(clamping: instant.attoseconds / period.attoseconds)
        return (play, instant - period * play)
    }

    private func forwardPosition(at instant: Duration) -> Position? {
        guard let shown = head.position(at: instant) else { return nil }
        let isStill = index.count == 1 && !isPartial
        let isEnd = isStill || end.map { instant >= $0 } ?? false
        return Position(
            frame: shown.frame, play: shown.play,
            nextChange: isEnd ? nil : shown.nextChange ?? end, isEnd: isEnd)
    }

    private func reversePosition(at instant: Duration) -> Position? {
        guard plays != 0, index.count > 0 else { return nil }
        if let end, instant <= .zero || end <= .zero || index.count == 1 {
            return Position(frame: 0, play: 0, nextChange: nil, isEnd: true)
        }
        let instant = end.map { min($0, instant) } ?? instant
        // Before the start of an endless loop comes its end.
        let tick = Duration(secondsComponent: 0, attosecondsComponent: 1)
        let (quotient, rest) = (instant - tick).attoseconds
            .quotientAndRemainder(dividingBy: period.attoseconds)
        let play = Int(rest < 0 ? quotient - 1 : quotient)
        let time = instant - period * play
        guard let frame = index.frame(at: time - tick) else { return nil }
        let length = time - index.timings[frame].presentation.duration
        return Position(frame: frame, play: max(0, play), nextChange: instant - length)
    }
}
