/// The times at which the search for a poster samples, in order; pure.
///
/// Shares are those of the play length, or of a part of it. Keyframes near a tenth come first, then exact
/// frames there, then keyframes anywhere, then exact frames anywhere. Times with the same frame count once;
/// of the frames near a tenth that are close together all but the first come last. On the way to an exact
/// frame near a tenth the keyframe that its decoding starts from is offered, if it is shown at most a second
/// earlier.
struct PosterPlan {
    /// Times that are sampled before the search decides whether to continue.
    struct Round: Equatable {
        /// Times of one play, in order of preference.
        var times: [Duration]
        /// Whether the next keyframe after such a time is taken.
        var keyframesOnly = false
        /// An earlier keyframe that decoding passes anyway; only a clearly good one represents the times.
        var start: Duration?
        /// Whether each time needs more than one frame to be decoded, so that the first good one will do.
        var isExact = false
    }

    /// Most clips have started after a tenth; before it is the most expensive and so the last.
    static let near = [0.10, 0.15, 0.20, 0.25, 0.06]
    /// The last resort.
    static let far = [0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95]
    /// Frames closer than this are assumed to show the same.
    static let spacing = Duration.milliseconds(250)
    /// Most scenes are longer than this: a clearly good keyframe so much earlier saves decoding the rest.
    static let scene = Duration.seconds(1)

    /// The rounds; none of them is empty.
    let rounds: [Round]

    /// A plan for a known index; `range` is the part of the play, nil for all of it.
    init(_ index: FrameIndex, length: Duration, within range: Range<Duration>? = nil) {
        var keys = index.keyframes
        if let range { keys = keys.filter { range.contains($0.presentation.duration) } }
        var seen: Set<Int> = []
        var spare: [Duration] = []
        var rounds: [Round] = []
        func round(_ frames: [FrameTiming], spacing: Bool) -> Round {
            let times = frames.filter { seen.insert($0.index).inserted }
                .map(\.presentation.duration)
            let kept = spacing ? Self.spaced(times) : times
            spare += times.filter { !kept.contains($0) }
            return Round(times: kept)
        }
        for shares in [Self.near, Self.far] {
            let times = shares.map { Self.time(at: $0, of: length, within: range) }
            let isNear = shares == Self.near
            rounds.append(round(times.compactMap { Self.keyframe(at: $0, keys) }, spacing: isNear))
            var exact = round(
                times.compactMap { index.frame(at: $0).map { index[$0] } },
                spacing: isNear)
            exact.isExact = true
            if isNear, let start = Self.start(of: exact, keys), !seen.contains(start.index) {
                exact.start = start.presentation.duration
            }
            rounds.append(exact)
        }
        rounds.append(Round(times: spare.sorted(), isExact: true))
        self.rounds = rounds.filter { !$0.times.isEmpty }
    }

    /// A plan for a known length.
    init(length: Duration, within range: Range<Duration>? = nil) {
        let times = [Self.near, Self.far].map { shares in
            shares.map { Self.time(at: $0, of: length, within: range) }
        }
        rounds = [Self.spaced(times[0]), times[1]].flatMap { times in
            [true, false].map { Round(times: times, keyframesOnly: $0, isExact: !$0) }
        }
    }

    /// The time at a share of a play, or of a part of it.
    static func time(
        at share: Double, of length: Duration, within range: Range<Duration>?
    ) -> Duration {
        let start = max(.zero, range?.lowerBound ?? .zero)
        return start + (max(start, min(length, range?.upperBound ?? length)) - start) * share
    }

    /// The times that are not close to an earlier one in the list.
    private static func spaced(_ times: [Duration]) -> [Duration] {
        times.reduce(into: []) { kept, time in
            let isNew = kept.allSatisfy { max($0, time) - min($0, time) >= spacing }
            if isNew { kept.append(time) }
        }
    }

    private static func count(of keys: [FrameTiming], shownBy time: Duration) -> Int {
        keys.partitionPoint { $0.presentation.duration <= time }
    }

    /// The keyframe that the decoding of a round's first time starts from, if it was shown recently.
    private static func start(of round: Round, _ keys: [FrameTiming]) -> FrameTiming? {
        guard let time = round.times.first else { return nil }
        let next = count(of: keys, shownBy: time)
        guard next > 0, time - keys[next - 1].presentation.duration <= scene else { return nil }
        return keys[next - 1]
    }

    /// The keyframe for a time: a recent one that shows the same, else the next.
    private static func keyframe(at time: Duration, _ keys: [FrameTiming]) -> FrameTiming? {
        let next = count(of: keys, shownBy: time)
        if next > 0, time - keys[next - 1].presentation.duration <= spacing {
            return keys[next - 1]
        }
        return next < keys.count ? keys[next] : nil
    }
}

extension PosterChoice {
    /// The time at which the search for a poster begins, in a play or a part of it.
    package static func firstTime(
        of length: Duration, within range: Range<Duration>? = nil
    ) -> Duration {
        PosterPlan.time(at: PosterPlan.near[0], of: length, within: range)
    }
}
