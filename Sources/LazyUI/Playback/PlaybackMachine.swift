/// Decides what a player shows and when it looks again; pure.
struct PlaybackMachine {
    /// What the player is to do now.
    enum Step: Hashable {
        /// Nothing, until something is told.
        case idle
        /// Get a frame and show it.
        case show(frame: Int, play: Int)
        /// Look again at a time of the clock.
        case wait(until: Duration)
        /// Say that playing is over.
        case finish
    }

    private struct Place: Hashable {
        var frame: Int
        var play: Int
    }

    private(set) var course: PlaybackCourse?
    /// Whether playing is wanted.
    private(set) var wantsToPlay = false
    private(set) var isOnScreen = true
    private(set) var isFinished = false
    /// Frames that were never shown because their time had passed.
    private(set) var dropped = 0
    /// Changes with each command: what was begun before it is out of date.
    private(set) var revision = 0
    private var timeline = PlaybackTimeline()
    private var shown: Place?
    /// The clock waits until the frame wanted is there.
    private var isHolding = true
    private var isStalled = false
    private var needsFrame = false

    var rate: Int { timeline.rate }
    var isReverse: Bool { timeline.rate < 0 }
    /// Whether it plays, were the frames there.
    var isActive: Bool { wantsToPlay && isOnScreen }

    var state: Playback.State {
        if isFinished { return .finished }
        if !isActive { return .paused }
        return isHolding || isStalled || course == nil ? .waiting : .playing
    }

    func moment(at now: Duration) -> Duration { timeline.moment(at: now) }

    // MARK: - Commands

    mutating func play(at now: Duration) {
        guard !wantsToPlay else { return }
        revision += 1
        if isFinished { restart(at: now) }
        wantsToPlay = true
        isHolding = true
        windToEndIfReverse(at: now)
    }

    mutating func pause(at now: Duration) {
        revision += 1
        wantsToPlay = false
        hold(at: now)
    }

    mutating func stop(at now: Duration) {
        pause(at: now)
        restart(at: now)
        shown = nil
        needsFrame = false
    }

    mutating func setOnScreen(_ isOnScreen: Bool, at now: Duration) {
        guard isOnScreen != self.isOnScreen else { return }
        revision += 1
        self.isOnScreen = isOnScreen
        hold(at: now)
    }

    mutating func setRate(_ rate: Int, at now: Duration) {
        revision += 1
        timeline.setRate(rate, at: now)
        isStalled = false
        windToEndIfReverse(at: now)
    }

    /// Goes to a moment; the clock waits for its frame.
    mutating func seek(to moment: Duration, at now: Duration) {
        revision += 1
        hold(at: now)
        timeline.move(to: moment, at: now)
        isFinished = false
        isStalled = false
        needsFrame = true
    }

    /// Goes on by another course at the same moment: another count of plays, or more frames.
    mutating func setCourse(_ course: PlaybackCourse, at now: Duration) {
        revision += 1
        let isFirst = self.course == nil
        self.course = course
        isStalled = false
        if isFirst { windToEndIfReverse(at: now) }
    }

    /// No frame can be had: what was wanted is given up.
    mutating func giveUp(at now: Duration) {
        pause(at: now)
        needsFrame = false
    }

    // MARK: - The next step

    mutating func step(at now: Duration) -> Step {
        guard let course, isOnScreen, wantsToPlay || needsFrame else { return .idle }
        let isBackwards = wantsToPlay && isReverse
        guard
            let position = course.position(at: timeline.moment(at: now), isReverse: isBackwards)
        else { return finish(at: now) }
        let place = Place(frame: position.frame, play: position.play)
        if needsFrame || shown != place { return .show(frame: place.frame, play: place.play) }
        startIfHolding(at: now)
        guard position.isEnd else {
            return position.nextChange.map { .wait(until: timeline.time(of: $0)) } ?? .idle
        }
        if course.isPartial, !isBackwards { return stall(at: course.end ?? .zero, now) }
        return finish(at: now)
    }

    /// A frame is on show.
    mutating func didShow(frame: Int, play: Int, at now: Duration) {
        if !isHolding, !needsFrame, let shown, let count = course?.frameCount {
            let distance = (play - shown.play) * count + frame - shown.frame
            dropped += max(0, abs(distance) - 1)
        }
        shown = Place(frame: frame, play: play)
        needsFrame = false
        startIfHolding(at: now)
    }

    /// There are only so many frames, whatever the index said.
    mutating func truncate(to count: Int) {
        revision += 1
        course = course?.truncated(to: count)
    }

    // MARK: - Steps within

    private mutating func startIfHolding(at now: Duration) {
        guard isHolding, isActive, !isFinished else { return }
        isHolding = false
        if !isStalled { timeline.start(at: now) }
    }

    private mutating func hold(at now: Duration) {
        timeline.stop(at: now)
        isHolding = true
    }

    private mutating func restart(at now: Duration) {
        isFinished = false
        isStalled = false
        hold(at: now)
        timeline.move(to: .zero, at: now)
    }

    /// Backwards playing of what has an end begins there.
    private mutating func windToEndIfReverse(at now: Duration) {
        guard isReverse, wantsToPlay, let end = course?.end, timeline.moment(at: now) <= .zero
        else { return }
        timeline.move(to: end, at: now)
    }

    /// The clock stands at the end of what there is so far.
    private mutating func stall(at end: Duration, _ now: Duration) -> Step {
        hold(at: now)
        timeline.move(to: end, at: now)
        isStalled = true
        return .idle
    }

    private mutating func finish(at now: Duration) -> Step {
        needsFrame = false
        guard wantsToPlay else { return .idle }
        hold(at: now)
        if let end = course?.end { timeline.move(to: isReverse ? .zero : end, at: now) }
        wantsToPlay = false
        isFinished = true
        return .finish
    }
}
