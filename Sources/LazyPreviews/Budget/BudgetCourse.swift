/// Decides what is weighed and encoded next so that a budget is kept; pure.
///
/// The whole is encoded twice at most. Before that, where frames or pixels must be given up, samples
/// are taken at the level that is to be encoded until they agree with the model. Once size must be
/// given up, or the first encoding was too large, the least that there is (a few frames of a few
/// pixels) is weighed as a whole, and kept: so nothing fits only where that does not.
struct BudgetCourse: Sendable {
    enum Step: Equatable {
        /// Weigh a sample of the whole at a level.
        case sample(SizeModel.Level)
        /// Make the least that there is.
        case least
        /// Encode the whole at a level.
        case encode(SizeModel.Level)
        /// Take the best of what there is, or nothing where nothing fits.
        case end
    }

    /// A level and the bytes that the whole is reckoned to have at it.
    private struct Reckoning {
        var level: SizeModel.Level
        var bytes: Double
    }

    /// Samples before an encoding; each brings the model closer.
    private static let mostSamples = 3

    let maxBytes: Int
    let ladder: BudgetLadder
    /// What sizes are reckoned by.
    private(set) var model: SizeModel
    /// What the least has.
    private(set) var least: Int?
    /// What the last whole encoding was against what was reckoned.
    private var bias = 1.0
    private var samples: [Reckoning] = []
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

    /// A sample was weighed; `bytes` are what the whole has if it is like the sample.
    mutating func didSample(_ level: SizeModel.Level, bytes: Double) {
        samples.append(Reckoning(level: level, bytes: bytes))
        model.correct(level, byteCount: bytes)
    }

    /// The least was made.
    mutating func didMakeLeast(byteCount: Int) { least = byteCount }

    /// The whole was encoded: what is reckoned from now on agrees with it.
    mutating func didEncode(_ level: SizeModel.Level, byteCount: Int) {
        attempts.append((level, byteCount))
        let sampled = samples.last { $0.level == level }
        let reckoned = sampled?.bytes ?? model.bytes(level)
        if reckoned > 0 { bias = max(1, Double(byteCount)) / reckoned }
        samples = []
        model.correct(level, byteCount: Double(byteCount))
    }

    /// What to do now.
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
        // Good enough, or as good as it was to be.
        if byteCount <= maxBytes, isFull || Double(byteCount) >= 0.75 * budget { return .end }
        // There is no third: the more the model erred, the further one keeps away.
        let isOver = byteCount > maxBytes
        if isOver, least == nil { return .least }
        // What the whole has told is worth more than samples are.
        return approach(
            budget * (isOver ? 0.93 / max(1, bias).squareRoot() : 0.93), isSampling: false)
    }

    /// The way to an encoding of about so many bytes.
    private func approach(_ bytes: Double, isSampling: Bool = true) -> Step {
        let level = level(bytes)
        if level.scale < 1, least == nil { return .least }
        if let least, least > maxBytes { return .end }
        // It has been made already.
        if level == ladder.lowest, least != nil { return .end }
        guard isSampling, level.rate < 1 || level.scale < 1 else { return encode(level) }
        if let last = samples.last, (0.85 * bytes...bytes).contains(last.bytes) {
            return encode(last.level)
        }
        if samples.count < Self.mostSamples { return .sample(level) }
        // The model never came close: the largest sample that fits, else what it says now.
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

    /// The size between those whose bytes are known; the level itself where they do not tell.
    ///
    /// The model has one power for all sizes, and containers and headers do not shrink.
    private func between(_ level: SizeModel.Level, _ bytes: Double) -> SizeModel.Level {
        var known =
            samples + attempts.map { Reckoning(level: $0.level, bytes: Double($0.byteCount)) }
        if let least { known.append(Reckoning(level: ladder.lowest, bytes: Double(least))) }
        known.removeAll { $0.level.rate != level.rate || $0.level.coarseness != level.coarseness }
        let aim = bytes * 0.94
        let small = known.filter { $0.bytes <= bytes }.max { $0.level.scale < $1.level.scale }
        let large = known.filter { $0.bytes > bytes }.min { $0.level.scale < $1.level.scale }
        guard let small, small.bytes < aim else { return level }
        var level = level
        guard let large else {
            // What is known to fit leaves more room than the model has hoped for.
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
