/// Says when a frame is due and whether it is still worth drawing; follows the wall.
///
/// The time is the caller's, so that it is tested like arithmetic.
package struct PlaybackClock {
    /// What to do with a frame at a moment.
    package enum Decision: Equatable {
        case wait(Duration)
        case draw
        case drop
    }
    private var begin: Duration?
    private var pausedSince: Duration?
    private var lastDrawn: Duration = .zero

    /// After so long without a picture a late frame is drawn all the same.
    private static let patience = Duration.milliseconds(250)

    /// Judges a frame that is shown from `start` for `length`, counted over all plays.
    ///
    /// The clock begins with the first frame it is asked about.
    package mutating func decide(at now: Duration, start: Duration, length: Duration) -> Decision {
        guard let begin else {
            restart(at: now, from: start)
            lastDrawn = now
            return .draw
        }
        let due = begin + start
        if now < due { return .wait(due - now) }
        if now >= due + length, now - lastDrawn < Self.patience { return .drop }
        lastDrawn = now
        return .draw
    }

    /// Whether time stands still.
    package var isPaused: Bool { pausedSince != nil }

    /// Stops or goes on.
    package mutating func togglePause(at now: Duration) {
        if let since = pausedSince {
            begin = begin.map { $0 + (now - since) }
            pausedSince = nil
        } else {
            pausedSince = now
        }
    }

    /// Makes `start` the present, as after a time that does not count.
    package mutating func restart(at now: Duration, from start: Duration) { begin = now - start }

    /// Waits for what had not arrived: makes `start` the present where its time is over.
    package mutating func hold(at now: Duration, for start: Duration) {
        guard let begin, begin + start < (pausedSince ?? now) else { return }
        restart(at: now, from: start)
        if pausedSince != nil { pausedSince = now }
    }

    /// While paused: goes on to the frame that is shown from `start`.
    package mutating func step(to start: Duration, at now: Duration) {
        restart(at: now, from: start)
        pausedSince = now
    }
}
