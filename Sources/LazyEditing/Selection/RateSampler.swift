internal import LazyMedia

/// Resamples frames of any timing to a constant rate, without an index.
///
/// Chooses the same frames as `EditPlan` (`RateSteps`), but while their times arrive: it keeps two. An item is
/// whatever stands for a frame.
struct RateSampler<Item> {
    enum Step {
        case emit(Item, FrameTiming)
        case needsFrame
        case end
    }
    private let rate: Rational
    private let part: ClipPart
    /// The time of the first step: the start of the part, or the first frame where that is later.
    private var start: MediaTime
    private var hasBegun = false
    private let limits: DecodingLimits
    /// The steps emitted, and the steps up to the end of the current frame.
    private var taken: Int64 = 0
    private var through: Int64?
    private var current: (item: Item, timing: FrameTiming)?
    private var next: (item: Item, timing: FrameTiming)?
    private var hasEnded = false

    init(rate: Rational, part: ClipPart, limits: DecodingLimits) {
        self.rate = rate
        self.part = part
        self.limits = limits
        start = MediaTime(microseconds: part.start.microseconds)
    }

    /// Takes the next frame of the source, or nil at its end.
    ///
    /// Throws before the first step of a frame that is shown for more steps than the limits allow.
    mutating func feed(_ frame: (item: Item, timing: FrameTiming)?) throws(MediaError) {
        next = frame.flatMap { part.relation(of: $0.timing) == .after ? nil : $0 }
        hasEnded = next == nil
        // A frame is shown until the next one; the last one for its duration, or to the end of the
        // part.
        let isCut = frame != nil && hasEnded
        let finish = frame?.timing.presentation ?? current?.timing.end
        guard let current, let finish else { return turn() }
        guard part.relation(of: current.timing, until: finish.duration) == .inside else {
            return turn()
        }
        if !hasBegun {
            start = max(start, current.timing.presentation)
            hasBegun = true
        }
        var end = finish
        if let last = part.end, isCut || finish.duration > last {
            end = MediaTime(microseconds: last.microseconds)
        }
        let steps = try RateSteps.count(of: rate, by: end - start)
        try limits.check(resampledFrames: Int(steps))
        through = hasEnded ? max(1, steps) : steps
    }

    /// Whether the frame that is fed next can be emitted, if the one after it begins where it ends.
    func mayEmit(_ next: FrameTiming) -> Bool {
        guard part.relation(of: next) != .after else { return false }
        // The first frames also stand for steps before them.
        guard taken > 0, next.duration > .zero,
            let before = try? RateSteps.count(of: rate, by: next.presentation - start),
            let through = try? RateSteps.count(of: rate, by: next.end - start)
        else { return true }
        return through > before
    }

    /// The next frame at the rate, or what is missing for it.
    mutating func step() -> Step {
        guard let current, let through else { return hasEnded ? .end : .needsFrame }
        guard taken < through else {
            turn()
            return hasEnded ? .end : .needsFrame
        }
        defer { taken += 1 }
        return .emit(current.item, timing(isKeyframe: current.timing.isKeyframe))
    }

    private mutating func turn() {
        (current, next, through) = (next, nil, nil)
    }

    private func timing(isKeyframe: Bool) -> FrameTiming {
        let (ticks, isTooFar) = taken.multipliedReportingOverflow(by: rate.denominator)
        let base = Rational(1, rate.numerator)
        let offset = MediaTime(ticks: isTooFar ? .max : ticks, base: base)
        return FrameTiming(
            index: Int(taken), presentation: start == .zero ? offset : start + offset,
            duration: MediaTime(ticks: rate.denominator, base: base), isKeyframe: isKeyframe)
    }
}
