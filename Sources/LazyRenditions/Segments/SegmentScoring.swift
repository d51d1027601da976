internal import LazyMedia

/// Scores windows of consecutive frames; pure.
struct SegmentScoring {
    private let frames: [FrameFeatures]
    /// Differences between each frame and the one before; the first is 0.
    private let differences: [Float]
    private let shifts: [SIMD2<Float>]
    /// Frames that start another shot.
    let cuts: [Int]

    init(_ frames: [FrameFeatures]) {
        self.frames = frames
        let differences = frames.indices.map {
            $0 == 0 ? 0 : frames[$0].difference(frames[$0 - 1])
        }
        self.differences = differences
        shifts = frames.indices.map { $0 == 0 ? .zero : frames[$0].shift(since: frames[$0 - 1]) }
        cuts = SceneCuts.places(
            frames.indices.map { place in
                SceneCuts.Step(frames[place], since: place == 0 ? nil : frames[place - 1])
            })
    }

    /// The score of consecutive frames.
    func score(_ window: Range<Int>) -> SegmentScore {
        SegmentScore(
            picture: picture(window), motion: motion(window), steadiness: steadiness(window),
            unity: cuts.contains { $0 > window.lowerBound && $0 < window.upperBound } ? 0 : 1,
            constancy: constancy(window))
    }

    private func picture(_ window: Range<Int>) -> Double {
        let scores = frames[window].map(\.still.total)
        let mean = scores.reduce(0, +) / Double(max(1, scores.count))
        return (mean + (scores.min() ?? 0)) / 2
    }

    /// Rises with the change from frame to frame, and falls again if everything changes.
    private func motion(_ window: Range<Int>) -> Double {
        let steps = window.dropFirst().filter { !cuts.contains($0) }
        guard !steps.isEmpty else { return 0 }
        let mean = steps.reduce(Float(0)) { $0 + differences[$1] } / Float(steps.count)
        let rise = Double(Self.ramp(mean, 0.0015, 0.02))
        return rise * (1 - 0.5 * Double(Self.ramp(mean, 0.10, 0.25)))
    }

    /// Jerks: how much the camera's speed changes from step to step.
    private func steadiness(_ window: Range<Int>) -> Double {
        let steps = window.dropFirst(2).filter { !cuts.contains($0) && !cuts.contains($0 - 1) }
        guard !steps.isEmpty else { return 1 }
        let jerks = steps.reduce(Float(0)) { sum, step in
            let change = shifts[step] - shifts[step - 1]
            return sum + abs(change.x) + abs(change.y)
        }
        return 1 - Double(Self.ramp(jerks / Float(steps.count), 0.015, 0.06))
    }

    /// Detects fades: the brightness of the whole picture changes steadily.
    private func constancy(_ window: Range<Int>) -> Double {
        let levels = frames[window].map(\.brightness)
        guard let first = levels.first, let last = levels.last, levels.count > 2 else { return 1 }
        var (path, most) = (Float(0), Float(0))
        for step in 1..<levels.count {
            path += abs(levels[step] - levels[step - 1])
            most = max(most, abs(levels[step] - first))
        }
        let drift = abs(last - first)
        let isSteady = path > 0 ? drift / path : 0
        let relative = drift / max(0.05, max(first, last))
        return 1 - Double(Self.ramp(relative, 0.15, 0.5) * Self.ramp(isSteady, 0.5, 0.9))
    }

    private static func ramp(_ value: Float, _ low: Float, _ high: Float) -> Float {
        min(1, max(0, (value - low) / (high - low)))
    }
}
