/// Maps clock time to moments of playback at a rate; pure, and exact in attoseconds.
struct PlaybackTimeline {
    /// The rate in thousandths; negative for backwards; never 0.
    private(set) var rate = 1000
    private(set) var isRunning = false
    private var anchorTime = Duration.zero
    private var anchorMoment = Duration.zero

    /// The current moment of playback.
    func moment(at now: Duration) -> Duration {
        isRunning ? anchorMoment + (now - anchorTime) * rate / 1000 : anchorMoment
    }

    /// The clock time of a later moment, rounded up.
    func time(of moment: Duration) -> Duration {
        let distance = (moment - anchorMoment) * (rate < 0 ? -1000 : 1000)
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
        anchorMoment = moment(at: now)
        isRunning = false
    }

    mutating func move(to moment: Duration, at now: Duration) {
        anchorMoment = moment
        anchorTime = now
    }

    mutating func setRate(_ rate: Int, at now: Duration) {
        anchorMoment = moment(at: now)
        anchorTime = now
        self.rate = rate
    }
}
