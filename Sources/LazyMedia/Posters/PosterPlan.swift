/// Where the search for a poster looks, in order: a pure plan.
///
/// Keyframes near a tenth of the play length come first, then exact frames there, then keyframes all
/// over the sequence, then exact frames all over it. Shares that lead to the same frame are one, and
/// of frames near a tenth that show the same all but the first come last of all.
struct PosterPlan {
    /// Places that are looked at before it is decided whether to look on.
    struct Round: Equatable {
        /// Times of one play, in order of preference.
        var times: [Duration]
        /// Whether the keyframe is taken that follows such a time.
        var keyframesOnly = false
    }

    /// A tenth is where most clips have begun; backwards is the dearest way and so the last.
    static let near = [0.10, 0.15, 0.20, 0.25, 0.06]
    /// The last resort.
    static let far = [0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95]
    /// Frames that are no farther from each other than this are taken to show the same.
    static let moment = Duration.milliseconds(250)

    /// The rounds; none of them is empty.
    let rounds: [Round]

    /// A plan where each frame is known.
    init(_ index: FrameIndex, length: Duration) {
        let keys = index.timings.filter(\.isKeyframe)
        var seen: Set<Int> = []
        var spare: [Duration] = []
        var rounds: [Round] = []
        func add(_ frames: [FrameTiming], spacing: Bool) {
            let times = frames.filter { seen.insert($0.index).inserted }
                .map(\.presentation.duration)
            let kept = spacing ? Self.spaced(times) : times
            spare += times.filter { !kept.contains($0) }
            rounds.append(Round(times: kept))
        }
        for shares in [Self.near, Self.far] {
            let times = shares.map { length * $0 }
            add(times.compactMap { Self.keyframe(at: $0, keys) }, spacing: shares == Self.near)
            add(
                times.compactMap { index.frame(at: $0).map { index.timings[$0] } },
                spacing: shares == Self.near)
        }
        rounds.append(Round(times: spare.sorted()))
        self.rounds = rounds.filter { !$0.times.isEmpty }
    }

    /// A plan where only the length is known.
    init(length: Duration) {
        let near = Self.spaced(Self.near.map { length * $0 })
        rounds = [near, Self.far.map { length * $0 }].flatMap { times in
            [true, false].map { Round(times: times, keyframesOnly: $0) }
        }
    }

    /// The times that do not show the same as one before them in the list.
    private static func spaced(_ times: [Duration]) -> [Duration] {
        times.reduce(into: []) { kept, time in
            let isNew = kept.allSatisfy { max($0, time) - min($0, time) >= moment }
            if isNew { kept.append(time) }
        }
    }

    /// The keyframe that stands for a place: one that shows the same as is shown there, else the next.
    private static func keyframe(at time: Duration, _ keys: [FrameTiming]) -> FrameTiming? {
        let next = keys.partitionPoint { $0.presentation.duration <= time }
        if next > 0, time - keys[next - 1].presentation.duration <= moment { return keys[next - 1] }
        return next < keys.count ? keys[next] : nil
    }
}
