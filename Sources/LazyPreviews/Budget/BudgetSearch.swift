/// Decides what is sampled and encoded next so that a budget is kept; pure.
///
/// The whole is encoded twice at most. Before that, if frames or pixels have to be dropped, samples
/// are encoded at the intended level until they agree with the model. Once the size has to shrink, or
/// the first encoding was too large, the smallest result (a few frames of a few pixels) is encoded and
/// kept: the search fails only if that does not fit.
struct BudgetSearch: Sendable {
    enum Step: Equatable {
        /// Encode a sample of the whole at a level.
        case sample(SizeModel.Level)
        /// Encode the smallest result.
        case smallest
        /// Encode the whole at a level.
        case encode(SizeModel.Level)
        /// Take the best result, or none if none fits.
        case end
    }

    /// A level and the bytes expected of the whole at it.
    private struct Estimate {
        var level: SizeModel.Level
        var bytes: Double
    }

    /// Samples before an encoding; each brings the model closer.
    private static let maxSamples = 3

    let maxBytes: Int
    let ladder: BudgetLadder
    /// The model that sizes are estimated by.
    private(set) var model: SizeModel
    /// The bytes of the smallest result.
    private(set) var smallest: Int?
    /// The size of the last whole encoding relative to its estimate.
    private var bias = 1.0
    private var samples: [Estimate] = []
    private var attempts: [(level: SizeModel.Level, byteCount: Int)] = []

    init(maxBytes: Int, ladder: BudgetLadder, model: SizeModel) {
        self.maxBytes = maxBytes
        self.ladder = ladder
        self.model = model
    }

    /// Whether an attempt is the largest of those that fit.
    func isBest(_ byteCount: Int) -> Bool {
        attempts.allSatisfy { $0.byteCount > maxBytes || $0.byteCount <= byteCount }
    }

    /// A sample was encoded; `bytes` is the size of the whole if it is like the sample.
    mutating func didSample(_ level: SizeModel.Level, bytes: Double) {
        samples.append(Estimate(level: level, bytes: bytes))
        model.correct(level, byteCount: bytes)
    }

    /// The smallest result was encoded.
    mutating func didEncodeSmallest(byteCount: Int) { smallest = byteCount }

    /// The whole was encoded; later estimates agree with it.
    mutating func didEncode(_ level: SizeModel.Level, byteCount: Int) {
        attempts.append((level, byteCount))
        let sampled = samples.last { $0.level == level }
        let estimate = sampled?.bytes ?? model.bytes(level)
        if estimate > 0 { bias = max(1, Double(byteCount)) / estimate }
        samples = []
        model.correct(level, byteCount: Double(byteCount))
    }

    /// The next step.
    func next() -> Step {
        let budget = Double(maxBytes)
        switch attempts.count {
        // A little less than allowed: a second encoding costs more than the last bytes are worth.
        case 0: return approach(budget * 0.94)
        case 1: return second(budget)
        default: return .end
        }
    }

    private func second(_ budget: Double) -> Step {
        let (level, byteCount) = attempts[0]
        let isFull = level == SizeModel.Level()
        // Close enough to the budget, or everything that was asked for.
        if byteCount <= maxBytes, isFull || Double(byteCount) >= 0.75 * budget { return .end }
        // There is no third encoding: the larger the model's error, the larger the margin.
        let isOver = byteCount > maxBytes
        if isOver, smallest == nil { return .smallest }
        // A whole encoding says more than samples do.
        return approach(
            budget * (isOver ? 0.93 / max(1, bias).squareRoot() : 0.93), isSampling: false)
    }

    /// The step towards an encoding of about this many bytes.
    private func approach(_ bytes: Double, isSampling: Bool = true) -> Step {
        let level = level(bytes)
        if level.scale < 1, smallest == nil { return .smallest }
        if let smallest, smallest > maxBytes { return .end }
        // It was encoded already.
        if level == ladder.lowest, smallest != nil { return .end }
        guard isSampling, level.rate < 1 || level.scale < 1 else { return encode(level) }
        if let last = samples.last, (0.85 * bytes...bytes).contains(last.bytes) {
            return encode(last.level)
        }
        if samples.count < Self.maxSamples { return .sample(level) }
        // The model did not converge: the largest sample that fits, else the model's level.
        let fitting = samples.filter { $0.bytes <= bytes }.max { $0.bytes < $1.bytes }
        return encode(fitting?.level ?? level)
    }

    private func encode(_ level: SizeModel.Level) -> Step {
        attempts.contains { $0.level == level } ? .end : .encode(level)
    }

    private func level(_ bytes: Double) -> SizeModel.Level {
        let level =
            model.level(for: bytes, ladder.floors) ?? ladder.lowest
        return level.scale < 1 ? between(level, bytes) : level
    }

    /// A size interpolated between results whose bytes are known; the level itself if there are none.
    ///
    /// The model has one exponent for all sizes, and containers and headers do not shrink.
    private func between(_ level: SizeModel.Level, _ bytes: Double) -> SizeModel.Level {
        var known =
            samples + attempts.map { Estimate(level: $0.level, bytes: Double($0.byteCount)) }
        if let smallest {
            known.append(Estimate(level: ladder.lowest, bytes: Double(smallest)))
        }
        known.removeAll { $0.level.rate != level.rate || $0.level.coarseness != level.coarseness }
        let aim = bytes * 0.94
        let small = known.filter { $0.bytes <= bytes }.max { $0.level.scale < $1.level.scale }
        let large = known.filter { $0.bytes > bytes }.min { $0.level.scale < $1.level.scale }
        guard let small, small.bytes < aim else { return level }
        var level = level
        guard let large else {
            // A result that fits leaves more room than the model expected.
            if level.scale <= small.level.scale, small.bytes < 0.8 * bytes {
                level.scale = min(1, SizeModel.scale(at: aim, small.level.scale, small.bytes))
            }
            return level
        }
        guard small.level.scale < large.level.scale else { return level }
        level.scale = SizeModel.scale(
            at: aim, (small.level.scale, small.bytes), (large.level.scale, large.bytes))
        return level
    }
}
