package import LazyMedia

/// From frames of any timing to frames at regular steps, as a playhead would show them.
///
/// At each step stands the last frame that has begun by then. Holds two frames and needs no index,
/// so that it works while the container is still being read.
package struct FrameResampler {
    package enum Step {
        case emit(Frame, FrameTiming)
        case needsFrame
        case end
    }
    private let rate: Rational
    private let start: Duration
    private let end: Duration?
    private var tick: Int64 = 0
    private var current: Frame?
    private var upcoming: Frame?
    private var hasEnded = false

    package init(rate: Rational, start: Duration, end: Duration?) {
        self.rate = rate
        self.start = start
        self.end = end
    }

    /// Takes the next frame of the source, or nil at its end.
    package mutating func feed(_ frame: Frame?) {
        if let frame {
            if current == nil { current = frame } else { upcoming = frame }
        } else {
            hasEnded = true
        }
    }

    /// What comes next.
    package mutating func step() -> Step {
        let time = start + offset.duration
        if let end, time >= end { return .end }
        while true {
            guard let shown = current else { return hasEnded ? .end : .needsFrame }
            guard upcoming != nil || hasEnded else { return .needsFrame }
            if let next = upcoming, next.presentationTime <= time {
                current = next
                upcoming = nil
                continue
            }
            // The last frame is shown for its own length, and every frame at one step at least
            // where the whole is shorter than a step.
            let isOver = upcoming == nil && time >= shown.timing.end.duration
            if isOver, tick > 0 { return .end }
            return emit(shown)
        }
    }

    private var offset: MediaTime {
        let (ticks, isTooFar) = tick.multipliedReportingOverflow(by: rate.denominator)
        return MediaTime(ticks: isTooFar ? .max : ticks, base: Rational(1, rate.numerator))
    }

    private mutating func emit(_ frame: Frame) -> Step {
        let presentation =
            start == .zero
            ? offset
            : MediaTime(microseconds: start.microseconds) + offset
        let length = MediaTime(ticks: rate.denominator, base: Rational(1, rate.numerator))
        defer { tick += 1 }
        return .emit(
            frame,
            FrameTiming(
                index: Int(tick), presentation: presentation, duration: length,
                isKeyframe: frame.isKeyframe))
    }
}
