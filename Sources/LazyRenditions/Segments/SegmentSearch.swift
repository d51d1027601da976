internal import LazyEditing
internal import LazyMedia

/// Searches for the segments of a clip that represent it best.
///
/// Short clips and short animations are taken whole. A clip of a few seconds is sampled all over; of a
/// longer one keyframes from everywhere, and then the seconds after the best of them. The number of
/// decoded frames is bounded, and they are small.
struct SegmentSearch {
    /// The total length of the segments.
    let length: Duration
    /// The most segments.
    let pieces: Int
    /// The longest animation that is taken whole; nil for the usual one, none where a length was asked for.
    var longestLoop: Duration?
    /// Whether one segment that loops seamlessly is preferred to several.
    let wantsLoop: Bool

    /// The most time that is sampled.
    private static let maxSampled = Duration.seconds(12)
    /// An animation up to this length is a loop by intent.
    private static let wholeAnimation = Duration.seconds(10)
    /// Sampled frames per second.
    private static let rate = 10.0
    /// The time sampled after one keyframe.
    private static let stretch = Duration.seconds(2)

    /// Selects segments; `progress` receives the fraction that is searched.
    func run(
        _ sequence: FrameSequence, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> SegmentChoice {
        let index = try await sequence.frameIndex()
        let whole = index.duration
        let isLoop =
            sequence.info.type.family == .animation
            && whole <= min(Self.wholeAnimation, longestLoop ?? Self.wholeAnimation)
        guard index.count > 1, whole > length, !isLoop else { return SegmentChoice(reason: .whole) }
        let search = self
        return try await sequence.cancellable { (flag) throws(MediaError) in
            try search.choose(sequence, index, flag, progress)
        }
    }

    /// The number of segments of a clip: each has at least a second, and represents several.
    static func count(of whole: Duration, length: Duration, most: Int) -> Int {
        let share = whole / length
        return max(
            1,
            min(
                most, share < 2.5 ? 1 : share < 4 ? 2 : 3,
                Int(saturating: (length / .seconds(1)).rounded(.down))))
    }

    private func choose(
        _ sequence: FrameSequence, _ index: FrameIndex, _ flag: CancellationFlag,
        _ progress: (Double) -> Void
    ) throws(MediaError) -> SegmentChoice {
        let sampler = FrameSampler(sequence, size: FrameFeatures.readSize(of: sequence.info.size))
        let stretches = try stretches(sampler, index, flag)
        progress(0.3)
        let sampled = try SampledRuns(stretches, sampler, index, rate: Self.rate, flag) {
            progress(0.3 + 0.7 * $0)
        }
        let count = Self.count(of: index.duration, length: length, most: pieces)
        if wantsLoop, let choice = loop(sampled) { return choice }
        return best(sampled, index.duration, count)
    }

    // MARK: - Where to sample

    /// The parts of the clip that are sampled, in order of time.
    private func stretches(
        _ sampler: FrameSampler, _ index: FrameIndex, _ flag: CancellationFlag
    ) throws(MediaError) -> [Range<Duration>] {
        let whole = index.duration
        let most = max(Self.maxSampled, length * 3)
        guard whole > most else { return [.zero..<whole] }
        let count = Int(saturating: (most / Self.stretch).rounded(.down))
        let keys = index.timings.filter(\.isKeyframe).map(\.presentation.duration)
        let zones = Self.zones(count, of: whole, keys, ending: Self.stretch)
        // Without keyframes a sample costs the decoding of all frames before it.
        guard zones.count(where: { !$0.isEmpty }) >= 3 else { return [.zero..<most] }
        let chosen = try sampler.bestKeyframes(of: zones, flag)
        var stretches: [Range<Duration>] = []
        for start in chosen {
            let end = min(whole, start + Self.stretch)
            if let last = stretches.last, last.upperBound >= start {
                stretches[stretches.count - 1] = last.lowerBound..<end
            } else {
                stretches.append(start..<end)
            }
        }
        return stretches
    }

    /// A few keyframes of each of some equal parts of a clip, without the titles at its ends.
    static func zones(
        _ count: Int, of whole: Duration, _ keys: [Duration], ending least: Duration
    ) -> [[Duration]] {
        let from = whole * 0.03
        let to = min(whole * 0.97, whole - least)
        return (0..<count).map { zone in
            let low = from + (to - from) * (Double(zone) / Double(count))
            let high = from + (to - from) * (Double(zone + 1) / Double(count))
            let inside = keys.filter { $0 >= low && $0 < high }
            guard inside.count > 4 else { return inside }
            return (0..<4).map { inside[(2 * $0 + 1) * inside.count / 8] }
        }
    }

    // MARK: - What to take

    private func loop(_ sampled: SampledRuns) -> SegmentChoice? {
        let finding = LoopFinding(least: max(.milliseconds(800), length * 0.4), most: length * 1.05)
        var best: (loop: LoopFinding.Loop, frames: [FrameFeatures], score: SegmentScore)?
        for frames in sampled.runs {
            let scoring = SegmentScoring(frames)
            guard let loop = finding.find(frames, cuts: scoring.cuts) else { continue }
            let score = scoring.score(loop.start..<loop.end)
            guard score.total > 0.1 else { continue }
            if best.map({ score.total > $0.score.total }) ?? true { best = (loop, frames, score) }
        }
        guard let best else { return nil }
        let range = best.frames[best.loop.start].time..<best.frames[best.loop.end].time
        return SegmentChoice(
            reason: .loop, segments: [range],
            candidates: [.init(range: range, score: best.score, isChosen: true)])
    }

    private func best(_ sampled: SampledRuns, _ whole: Duration, _ count: Int) -> SegmentChoice {
        var candidates: [SegmentChoice.Candidate] = []
        var picked: [Int] = []
        // If too few segments are good, fewer and longer ones are taken.
        for count in (1...count).reversed() {
            let piece = length / count
            candidates = sampled.candidates(piece)
            picked = SegmentPicking(length: piece, count: count, clip: whole).pick(candidates)
            if picked.count == count { break }
        }
        guard !picked.isEmpty else {
            return SegmentChoice(reason: .best, segments: [.zero..<length])
        }
        for number in picked { candidates[number].isChosen = true }
        return SegmentChoice(
            reason: .best, segments: picked.map { candidates[$0].range }, candidates: candidates)
    }
}
