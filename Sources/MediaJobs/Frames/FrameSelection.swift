package import LazyMedia

/// Which frames of a sequence are wanted; nothing set wants all.
package struct FrameSelection: Sendable, Equatable {
    /// The first frame is the one on screen at this time.
    package var start: Duration?
    /// Frames that begin at this time or later are not wanted.
    package var end: Duration?
    /// Every so manieth frame of those between start and end.
    package var every = 1
    package var keyframesOnly = false
    package var maximum: Int?
    /// Resampled to so many frames a second.
    package var rate: Rational?

    package init(
        start: Duration? = nil, end: Duration? = nil, every: Int = 1, keyframesOnly: Bool = false,
        maximum: Int? = nil, rate: Rational? = nil
    ) {
        self.start = start
        self.end = end
        self.every = every
        self.keyframesOnly = keyframesOnly
        self.maximum = maximum
        self.rate = rate
    }

    /// What becomes of one frame.
    package enum Verdict { case take, skip, stop }

    /// Judges a frame that is the `position`th between start and end, counted from 0.
    package func verdict(on timing: FrameTiming, position: Int) -> Verdict {
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
