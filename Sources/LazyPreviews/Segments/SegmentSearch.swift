internal import LazyEditing
internal import LazyMedia

/// Looks for the pieces of a clip that stand best for it.
///
/// Short clips and short animations are taken whole. Of a clip of a few seconds all is looked at;
/// of a longer one keyframes from all over it, and then the seconds behind the best of them: never
/// more than a bounded number of frames, small and without those that are not needed decoded twice.
struct SegmentSearch {
    /// How long the pieces are to be together.
    let length: Duration
    /// The most pieces.
    let pieces: Int
    /// Whether one piece that loops without a seam is better than several.
    let wantsLoop: Bool

    /// What is decoded at most.
    private static let mostLooked = Duration.seconds(12)
    /// An animation up to this length is a loop that its maker meant.
    private static let wholeAnimation = Duration.seconds(10)
    /// Frames a second that are looked at.
    private static let rate = 10.0
    /// What is looked at behind one keyframe.
    private static let stretch = Duration.seconds(2)

    func run(_ sequence: FrameSequence) async throws(MediaError) -> SegmentChoice {
        let index = try await sequence.frameIndex()
        let whole = index.duration
        let isLoop = sequence.info.type.family == .animation && whole <= Self.wholeAnimation
        guard index.count > 1, whole > length, !isLoop else { return SegmentChoice(reason: .whole) }
        let search = self
        return try await sequence.cancellable { (flag) throws(MediaError) in
            try search.choose(sequence, index, flag)
        }
    }

    /// How many pieces a clip is cut into: each is a second at least, and stands for several.
    static func count(of whole: Duration, length: Duration, most: Int) -> Int {
        let share = whole / length
        return max(
            1,
            min(
                most, share < 2.5 ? 1 : share < 4 ? 2 : 3,
                Int(saturating: (length / .seconds(1)).rounded(.down))))
    }

    private func choose(
        _ sequence: FrameSequence, _ index: FrameIndex, _ flag: CancellationFlag
    ) throws(MediaError) -> SegmentChoice {
        let sampler = FrameSampler(sequence, size: Self.smallSize(of: sequence.info.size))
        let stretches = try stretches(sampler, index, flag)
        let looks = try Looks(stretches, sampler, index, rate: Self.rate, flag)
        let count = Self.count(of: index.duration, length: length, most: pieces)
        if wantsLoop, let choice = loop(looks) { return choice }
        return best(looks, index.duration, count)
    }

    private static func smallSize(of size: PixelSize) -> PixelSize {
        TargetSize(width: 128, height: 128, fit: .scaleDown).scaledSize(of: size)
    }

    // MARK: - Where to look

    /// The parts of the clip that are looked at, in order of time.
    private func stretches(
        _ sampler: FrameSampler, _ index: FrameIndex, _ flag: CancellationFlag
    ) throws(MediaError) -> [Range<Duration>] {
        let whole = index.duration
        let most = max(Self.mostLooked, length * 3)
        guard whole > most else { return [.zero..<whole] }
        let count = Int(saturating: (most / Self.stretch).rounded(.down))
        let keys = index.timings.filter(\.isKeyframe).map(\.presentation.duration)
        let zones = Self.zones(count, of: whole, keys, ending: Self.stretch)
        // Without keyframes a look anywhere costs all that is before it.
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

    /// The keyframes of each of some equal parts of a clip, a few of each; titles at the edges are
    /// left out.
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

    private func loop(_ looks: Looks) -> SegmentChoice? {
        let finding = LoopFinding(least: max(.milliseconds(800), length * 0.4), most: length * 1.05)
        var best: (loop: LoopFinding.Loop, frames: [FrameFeatures], score: SegmentScore)?
        for frames in looks.runs {
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

    private func best(_ looks: Looks, _ whole: Duration, _ count: Int) -> SegmentChoice {
        var candidates: [SegmentChoice.Candidate] = []
        var picked: [Int] = []
        // Where too few pieces are good, fewer and longer ones are taken.
        for count in (1...count).reversed() {
            let piece = length / count
            candidates = looks.candidates(piece)
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

/// What was seen of the parts of a clip that were looked at.
struct Looks {
    /// Frames that follow each other, a list a part.
    let runs: [[FrameFeatures]]

    init(
        _ stretches: [Range<Duration>], _ sampler: FrameSampler, _ index: FrameIndex, rate: Double,
        _ flag: CancellationFlag
    ) throws(MediaError) {
        let reader = try sampler.makeReader(flag)
        var runs: [[FrameFeatures]] = []
        for stretch in stretches {
            var run: [FrameFeatures] = []
            for number in Self.numbers(in: stretch, index, rate: rate) {
                try reader.seek(toIndex: number)
                guard let frame = try reader.nextFrame() else { break }
                run.append(try FrameFeatures(frame))
            }
            if run.count > 1 { runs.append(run) }
        }
        self.runs = runs
    }

    init(runs: [[FrameFeatures]]) { self.runs = runs }

    /// The most steps in a part.
    private static let mostSteps = 4096

    /// The frames of a part that come nearest to even steps.
    static func numbers(
        in stretch: Range<Duration>, _ index: FrameIndex, rate: Double
    ) -> [Int] {
        let length = stretch.upperBound - stretch.lowerBound
        let steps = max(1, Int(saturating: (length / .seconds(1) * rate).rounded(.down)))
        // A part may be as long as files and users say: its steps are longer then.
        let rate = steps <= mostSteps ? rate : Double(mostSteps) / (length / .seconds(1))
        var numbers: [Int] = []
        for step in 0...min(steps, mostSteps) {
            let time = stretch.lowerBound + .seconds(1) * (Double(step) / rate)
            guard time <= stretch.upperBound, let number = index.frame(at: time) else { continue }
            if numbers.last != number { numbers.append(number) }
        }
        return numbers
    }

    /// All pieces of a length within the parts, two to a length, in order of time.
    func candidates(_ length: Duration) -> [SegmentChoice.Candidate] {
        runs.flatMap { frames in
            let scoring = SegmentScoring(frames)
            return starts(frames, length).map { start in
                let begin = frames[start].time
                let end = frames.firstIndex { $0.time >= begin + length } ?? frames.count
                return SegmentChoice.Candidate(
                    range: begin..<(begin + length), score: scoring.score(start..<end))
            }
        }
    }

    private func starts(_ frames: [FrameFeatures], _ length: Duration) -> [Int] {
        guard let first = frames.first, let last = frames.last else { return [] }
        // A part that is a little shorter than a piece is a piece.
        let latest = max(first.time, last.time - length)
        var starts: [Int] = []
        var next = first.time
        for number in frames.indices where frames[number].time >= next {
            guard frames[number].time <= latest else { break }
            starts.append(number)
            next = frames[number].time + length / 5
        }
        return starts
    }
}
