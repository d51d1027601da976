internal import LazyMedia

/// Which frames of a sequence are wanted; nothing set wants all.
struct FrameSelection: Sendable, Equatable {
    /// The first frame is the one on screen at this time.
    var start: Duration?
    /// Frames that begin at this time or later are not wanted.
    var end: Duration?
    /// Every so manieth frame of those between start and end.
    var every = 1
    var keyframesOnly = false
    var maximum: Int?
    /// Resampled to so many frames a second.
    var rate: Rational?

    /// What becomes of one frame.
    enum Verdict { case take, skip, stop }

    /// Judges a frame that is the `position`th between start and end, counted from 0.
    func verdict(on timing: FrameTiming, position: Int) -> Verdict {
        if let end, timing.presentation.duration >= end { return .stop }
        if let start, timing.presentation.duration < start {
            // On screen at the start; a frame without length is there for its moment alone.
            let finish = timing.end.duration
            if finish <= start { return .skip }
        }
        if keyframesOnly, !timing.isKeyframe { return .skip }
        return position % every == 0 ? .take : .skip
    }
}
