/// Decides what is encoded next so that a budget is kept; pure.
struct BudgetCourse: Sendable {
    enum Step: Equatable {
        /// Encode the whole at a level.
        case encode(SizeModel.Level)
        /// Take the best of what there is, or nothing where nothing fits.
        case end
    }

    let maxBytes: Int
    let ladder: BudgetLadder
    /// What sizes are reckoned by.
    var model: SizeModel?
    /// What the first encoding was against what was reckoned.
    private var surprise = 1.0
    private var attempts: [(level: SizeModel.Level, byteCount: Int)] = []

    init(maxBytes: Int, ladder: BudgetLadder) {
        self.maxBytes = maxBytes
        self.ladder = ladder
    }

    /// The fewest bytes that are thought possible.
    var least: Double { model?.least(ladder.floors(inNeed: true)) ?? 0 }

    /// Whether an attempt is the largest of those that fit.
    func isBest(_ byteCount: Int) -> Bool {
        attempts.allSatisfy { $0.byteCount > maxBytes || $0.byteCount <= byteCount }
    }

    /// The whole was encoded: what is reckoned from now on agrees with it.
    mutating func didEncode(_ level: SizeModel.Level, byteCount: Int) {
        attempts.append((level, byteCount))
        if attempts.count == 1, let reckoned = model?.bytes(level), reckoned > 0 {
            surprise = Double(byteCount) / reckoned
        }
        model?.correct(level, byteCount: Double(byteCount))
    }

    /// What to do now.
    func next() -> Step {
        guard let model else { return .end }
        let budget = Double(maxBytes)
        switch attempts.count {
        case 0: return first(model, budget)
        case 1: return second(model, budget)
        default: return .end
        }
    }

    private func first(_ model: SizeModel, _ budget: Double) -> Step {
        // A little less than allowed: a second encoding costs more than the last bytes are worth.
        level(model, budget * 0.94).map { .encode($0) } ?? .end
    }

    private func second(_ model: SizeModel, _ budget: Double) -> Step {
        let (level, byteCount) = attempts[0]
        let isFull = level == SizeModel.Level()
        // Good enough, or as good as it was to be.
        if byteCount <= maxBytes, isFull || Double(byteCount) >= 0.75 * budget { return .end }
        // There is no third: the more the model erred, the further one keeps away.
        let margin = byteCount > maxBytes ? 0.93 / max(1, surprise).squareRoot() : 0.93
        guard let next = self.level(model, budget * margin), next != level else { return .end }
        return .encode(next)
    }

    private func level(_ model: SizeModel, _ bytes: Double) -> SizeModel.Level? {
        if let level = model.level(for: bytes, ladder.floors(inNeed: false)) { return level }
        let floors = ladder.floors(inNeed: true)
        if let level = model.level(for: bytes, floors) { return level }
        // The model may err a little: the least that there is may do.
        guard model.least(floors) <= bytes * 1.5 else { return nil }
        return attempts.contains { $0.level == ladder.lowest } ? nil : ladder.lowest
    }
}
