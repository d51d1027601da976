internal import LazyBase

/// Decides when a frame is due and whether it is still worth drawing, by elapsed time.
///
/// The caller passes the time, so that tests need no clock.
struct PlaybackClock {
    /// What to do with a frame now.
    enum Decision: Equatable {
        case wait(Duration)
        case draw
        case drop
    }
    /// A time, and the position in the media then.
    private var anchor: (time: Duration, position: Duration)?
    private var pausedSince: Duration?
    private var lastDrawn: Duration = .zero
    /// Seconds of media per second; above 0.
    private(set) var speed: Double

    /// After this time without a drawn frame a late one is drawn.
    private static let longestGap = Duration.milliseconds(250)

    /// Makes a clock that has not begun.
    init(speed: Double = 1) { self.speed = speed }

    /// Decides about a frame that is shown from `start` for `length`, counted over all plays.
    ///
    /// The clock begins with the first frame.
    mutating func decide(at now: Duration, start: Duration, length: Duration) -> Decision {
        guard let due = time(of: start), let end = time(of: start.adding(length)) else {
            restart(at: now, from: start)
            lastDrawn = now
            return .draw
        }
        if now < due { return .wait(due - now) }
        if now >= end, now - lastDrawn < Self.longestGap { return .drop }
        lastDrawn = now
        return .draw
    }

    /// Whether it is paused.
    var isPaused: Bool { pausedSince != nil }

    /// The position in the media, counted over all plays; nil before the first frame.
    func position(at now: Duration) -> Duration? {
        guard let anchor else { return nil }
        let passed = (pausedSince ?? now) - anchor.time
        return anchor.position.adding(speed == 1 ? passed : passed * speed)
    }

    private func time(of position: Duration) -> Duration? {
        guard let anchor else { return nil }
        let rest = position - anchor.position
        return anchor.time.adding(speed == 1 ? rest : rest / speed)
    }

    /// Pauses or continues.
    mutating func togglePause(at now: Duration) {
        if let since = pausedSince {
            anchor?.time += now - since
            pausedSince = nil
        } else {
            pausedSince = now
        }
    }

    /// Makes `start` the current position.
    mutating func restart(at now: Duration, from start: Duration) { anchor = (now, start) }

    /// Changes the speed from the current position on.
    mutating func setSpeed(_ speed: Double, at now: Duration) {
        if let position = position(at: now) { anchor = (pausedSince ?? now, position) }
        self.speed = speed
    }

    /// Makes `start` the current position where it is past, as after waiting for data.
    mutating func hold(at now: Duration, for start: Duration) {
        guard let due = time(of: start), due < (pausedSince ?? now) else { return }
        restart(at: now, from: start)
        if pausedSince != nil { pausedSince = now }
    }

    /// While paused: advances to the frame that is shown from `start`.
    mutating func step(to start: Duration, at now: Duration) {
        restart(at: now, from: start)
        pausedSince = now
    }
}
