internal import LazyMedia

/// What is shown at which moment of playing, forwards and backwards; pure.
struct PlaybackCourse {
    /// What is shown at a moment.
    struct Position: Hashable {
        /// The number of the frame.
        var frame: Int
        /// The number of the play.
        var play: Int
        /// The moment at which something else is shown or playing ends; nil where nothing follows.
        var nextChange: Duration?
        /// Whether playing is over in its direction.
        var isEnd = false
    }

    let index: FrameIndex
    /// How often it plays, or nil for ever.
    let plays: Int?
    /// Whether more frames are to come: the end is a place to wait at.
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

    /// The length of one play.
    var period: Duration { index.duration }

    /// The moment at which playing ends, or nil for never.
    var end: Duration? { head.duration }

    /// The course of the frames that could be had, where those behind turned out not to exist.
    func truncated(to count: Int) -> PlaybackCourse {
        PlaybackCourse(
            FrameIndex(Array(index.timings.prefix(count))), plays: plays, isPartial: isPartial)
    }

    /// What is shown at a moment; nil where there is nothing to show.
    ///
    /// Forwards a frame is shown from its time on, backwards until its time: each as long as it
    /// lasts.
    func position(at moment: Duration, isReverse: Bool) -> Position? {
        isReverse ? reversePosition(at: moment) : forwardPosition(at: moment)
    }

    /// The moment at which a play has come to a time within it.
    func moment(play: Int, time: Duration) -> Duration {
        period * play + min(max(.zero, time), period)
    }

    /// The play a moment belongs to, and the time within it.
    func place(of moment: Duration) -> (play: Int, time: Duration) {
        guard period > .zero, moment > .zero else { return (0, .zero) }
        if let end, let plays, moment >= end { return (max(0, plays - 1), period) }
        let play = Int(clamping: moment.attoseconds / period.attoseconds)
        return (play, moment - period * play)
    }

    private func forwardPosition(at moment: Duration) -> Position? {
        guard let shown = head.position(at: moment) else { return nil }
        let isStill = index.count == 1 && !isPartial
        let isEnd = isStill || end.map { moment >= $0 } ?? false
        return Position(
            frame: shown.frame, play: shown.play,
            nextChange: isEnd ? nil : shown.nextChange ?? end, isEnd: isEnd)
    }

    private func reversePosition(at moment: Duration) -> Position? {
        guard plays != 0, index.count > 0 else { return nil }
        if let end, moment <= .zero || end <= .zero || index.count == 1 {
            return Position(frame: 0, play: 0, nextChange: nil, isEnd: true)
        }
        let moment = end.map { min($0, moment) } ?? moment
        // Behind the beginning of an endless loop stands its end.
        let tick = Duration(secondsComponent: 0, attosecondsComponent: 1)
        let (quotient, rest) = (moment - tick).attoseconds
            .quotientAndRemainder(dividingBy: period.attoseconds)
        let play = Int(rest < 0 ? quotient - 1 : quotient)
        let time = moment - period * play
        guard let frame = index.frame(at: time - tick) else { return nil }
        let length = time - index.timings[frame].presentation.duration
        return Position(frame: frame, play: max(0, play), nextChange: moment - length)
    }
}
