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
    private var begin: Duration?
    private var pausedSince: Duration?
    private var lastDrawn: Duration = .zero

    /// After this time without a drawn frame a late one is drawn.
    private static let longestGap = Duration.milliseconds(250)

    /// Decides about a frame that is shown from `start` for `length`, counted over all plays.
    ///
    /// The clock begins with the first frame.
    mutating func decide(at now: Duration, start: Duration, length: Duration) -> Decision {
        guard let begin else {
            restart(at: now, from: start)
            lastDrawn = now
            return .draw
        }
        let due = begin + start
        if now < due { return .wait(due - now) }
        if now >= due + length, now - lastDrawn < Self.longestGap { return .drop }
        lastDrawn = now
        return .draw
    }

    /// Whether it is paused.
    var isPaused: Bool { pausedSince != nil }

    /// Pauses or continues.
    mutating func togglePause(at now: Duration) {
        if let since = pausedSince {
            begin = begin.map { $0 + (now - since) }
            pausedSince = nil
        } else {
            pausedSince = now
        }
    }

    /// Makes `start` the current position.
    mutating func restart(at now: Duration, from start: Duration) { begin = now - start }

    /// Makes `start` the current position where it is past, as after waiting for data.
    mutating func hold(at now: Duration, for start: Duration) {
        guard let begin, begin + start < (pausedSince ?? now) else { return }
        restart(at: now, from: start)
        if pausedSince != nil { pausedSince = now }
    }

    /// While paused: advances to the frame that is shown from `start`.
    mutating func step(to start: Duration, at now: Duration) {
        restart(at: now, from: start)
        pausedSince = now
    }
}
