/// Decides which frame a player shows and when its next step is due; pure.
struct PlaybackMachine {
    /// What the player does next.
    enum Step: Hashable {
        /// Nothing until the next event.
        case idle
        /// Decode a frame and show it.
        case show(frame: Int, play: Int)
        /// Take the next step at a time of the clock.
        case wait(until: Duration)
        /// Report the end of playback.
        case finish
    }

    private struct Place: Hashable {
        var frame: Int
        var play: Int
    }

    private(set) var schedule: PlaybackSchedule?
    /// Whether `play` was called last.
    private(set) var wantsToPlay = false
    private(set) var isOnScreen = true
    private(set) var isFinished = false
    /// Frames that were dropped because they were late.
    private(set) var dropped = 0
    /// Changes with each command, which invalidates steps in progress.
    private(set) var revision = 0
    private var timeline = PlaybackTimeline()
    private var shown: Place?
    /// Whether the timeline waits until the wanted frame is decoded.
    private var isHolding = true
    private var isStalled = false
    private var needsFrame = false

    var rate: Int { timeline.rate }
    var isReverse: Bool { timeline.rate < 0 }
    /// Whether it plays as soon as frames are available.
    var isActive: Bool { wantsToPlay && isOnScreen }

    var state: Playback.State {
        if isFinished { return .finished }
        if !isActive { return .paused }
        return isHolding || isStalled || schedule == nil ? .waiting : .playing
    }

    func instant(at now: Duration) -> Duration { timeline.instant(at: now) }

    // MARK: - Commands

    mutating func play(at now: Duration) {
        guard !wantsToPlay else { return }
        revision += 1
        if isFinished { restart(at: now) }
        wantsToPlay = true
        isHolding = true
        moveToEndIfReverse(at: now)
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
        moveToEndIfReverse(at: now)
    }

    /// Seeks to an instant; the timeline waits for its frame.
    mutating func seek(to instant: Duration, at now: Duration) {
        revision += 1
        hold(at: now)
        timeline.move(to: instant, at: now)
        isFinished = false
        isStalled = false
        needsFrame = true
    }

    /// Continues with another schedule at the same instant: another loop count, or more frames.
    mutating func setSchedule(_ schedule: PlaybackSchedule, at now: Duration) {
        revision += 1
        let isFirst = self.schedule == nil
        self.schedule = schedule
        isStalled = false
        if isFirst { moveToEndIfReverse(at: now) }
    }

    /// Frames cannot be decoded: playback stops.
    mutating func fail(at now: Duration) {
        pause(at: now)
        needsFrame = false
    }

    // MARK: - The next step

    mutating func step(at now: Duration) -> Step {
        guard let schedule, isOnScreen, wantsToPlay || needsFrame else { return .idle }
        let isBackwards = wantsToPlay && isReverse
        guard
            let position = schedule.position(at: timeline.instant(at: now), isReverse: isBackwards)
        else { return finish(at: now) }
        let place = Place(frame: position.frame, play: position.play)
        if needsFrame || shown != place { return .show(frame: place.frame, play: place.play) }
        startIfHolding(at: now)
        guard position.isEnd else {
            return position.nextChange.map { .wait(until: timeline.time(of: $0)) } ?? .idle
        }
        if schedule.isPartial, !isBackwards { return stall(at: schedule.end ?? .zero, now) }
        return finish(at: now)
    }

    /// A frame is shown.
    mutating func didShow(frame: Int, play: Int, at now: Duration) {
        if !isHolding, !needsFrame, let shown, let count = schedule?.frameCount {
            let distance = (play - shown.play) * count + frame - shown.frame
            dropped += max(0, abs(distance) - 1)
        }
        shown = Place(frame: frame, play: play)
        needsFrame = false
        startIfHolding(at: now)
    }

    /// The sequence has fewer frames than its index says.
    mutating func truncate(to count: Int) {
        revision += 1
        schedule = schedule?.truncated(to: count)
    }

    // MARK: - Private steps

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

    /// Moves to the end, where backwards playback of a finite sequence starts.
    private mutating func moveToEndIfReverse(at now: Duration) {
        guard isReverse, wantsToPlay, let end = schedule?.end, timeline.instant(at: now) <= .zero
        else { return }
        timeline.move(to: end, at: now)
    }

    /// Stops the timeline at the end of the frames so far.
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
        if let end = schedule?.end { timeline.move(to: isReverse ? .zero : end, at: now) }
        wantsToPlay = false
        isFinished = true
        return .finish
    }
}
