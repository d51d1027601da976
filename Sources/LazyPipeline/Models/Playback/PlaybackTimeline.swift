/// Maps clock time to instants of playback at a rate; pure, and exact in attoseconds.
struct PlaybackTimeline {
    /// The rate in thousandths; negative for backwards; never 0.
    private(set) var rate = 1000
    private(set) var isRunning = false
    private var anchorTime = Duration.zero
    private var anchorMoment = Duration.zero

    /// The current instant of playback.
    func instant(at now: Duration) -> Duration {
        isRunning ? anchorMoment + (now - anchorTime) * rate / 1000 : anchorMoment
    }

    /// The clock time of a later instant, rounded up.
    func time(of instant: Duration) -> Duration {
        let distance = (instant - anchorMoment) * (rate < 0 ? -1000 : 1000)
        let speed = abs(rate)
        let length = distance / speed
        let isExact = length * speed == distance
        let tick = Duration(secondsComponent: 0, attosecondsComponent: 1)
        return anchorTime + (isExact || distance < .zero ? length : length + tick)
    }

    mutating func start(at now: Duration) {
        guard !isRunning else { return }
        anchorTime = now
        isRunning = true
    }

    mutating func stop(at now: Duration) {
        anchorMoment = instant(at: now)
        isRunning = false
    }

    mutating func move(to instant: Duration, at now: Duration) {
        anchorMoment = instant
        anchorTime = now
    }

    mutating func setRate(_ rate: Int, at now: Duration) {
        anchorMoment = instant(at: now)
        anchorTime = now
        self.rate = rate
    }
}
