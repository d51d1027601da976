internal import LazyEditing
internal import LazyMedia

/// Features of frames sampled in parts of a clip.
struct SampledRuns {
    /// Consecutive frames, one list per part.
    let runs: [[FrameFeatures]]

    init(
        _ stretches: [Range<Duration>], _ sampler: FrameSampler, _ index: FrameIndex, rate: Double,
        _ flag: CancellationFlag, progress: (Double) -> Void = { _ in }
    ) throws(MediaError) {
        let reader = try sampler.makeReader(flag)
        var runs: [[FrameFeatures]] = []
        for (place, stretch) in stretches.enumerated() {
            progress(Double(place) / Double(stretches.count))
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

    /// The most steps in a part.
    private static let maxSteps = 4096

    /// The frames of a part at about even steps.
    static func numbers(
        in stretch: Range<Duration>, _ index: FrameIndex, rate: Double
    ) -> [Int] {
        let length = stretch.upperBound - stretch.lowerBound
        let steps = max(1, Int(saturating: (length / .seconds(1) * rate).rounded(.down)))
        // Files and users may ask for parts of any length: the steps grow with it.
        let rate = steps <= maxSteps ? rate : Double(maxSteps) / (length / .seconds(1))
        var numbers: [Int] = []
        for step in 0...min(steps, maxSteps) {
            let time = stretch.lowerBound + .seconds(1) * (Double(step) / rate)
            guard time <= stretch.upperBound, let number = index.frame(at: time) else { continue }
            if numbers.last != number { numbers.append(number) }
        }
        return numbers
    }

    /// All segments of a length within the parts, in order of time.
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
        // A part that is a little shorter than a segment is one.
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
