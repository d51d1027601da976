internal import Glibc

/// Decides what is sampled and encoded next so that a budget is kept and used; pure.
///
/// It looks for one number, the position on the ladder, and knows on both sides of it what does not fit
/// and what does. Samples of the whole correct the model until the first encoding; each encoding then
/// corrects it further. One encoding is usual, three are the most where one of them fits. The smallest
/// result is encoded only where nothing else fits, and the search fails only where that does not.
struct BudgetSearch: Sendable {
    enum Step: Equatable {
        /// Encode a sample of the whole at a position.
        case sample(Double)
        /// Encode the whole at a position.
        case encode(Double)
        /// Take the best result, or none if none fits.
        case end
    }

    /// A position, and the bytes of the whole there.
    private struct Known {
        var position: Double
        var bytes: Double
    }

    /// Samples before the first encoding; each brings the model closer.
    private static let maxSamples = 3
    /// Encodings of the whole; another one is the smallest result.
    private static let maxEncodes = 4
    /// The share of the budget that is aimed at: at first, and after encodings that did not fit.
    private static let aims = [0.94, 0.93, 0.88, 0.8]

    let maxBytes: Int
    let ladder: BudgetLadder
    /// The model that sizes are estimated by.
    let model: SizeModel
    private var samples: [Known] = []
    private var attempts: [(position: Double, byteCount: Int)] = []

    init(maxBytes: Int, ladder: BudgetLadder, model: SizeModel) {
        self.maxBytes = maxBytes
        self.ladder = ladder
        self.model = model
    }

    /// The bytes of the smallest encoding, or nil before the first one.
    var smallest: Int? { attempts.map(\.byteCount).min() }

    /// Whether an attempt is the largest of those that fit.
    func isBest(_ byteCount: Int) -> Bool {
        attempts.allSatisfy { $0.byteCount > maxBytes || $0.byteCount <= byteCount }
    }

    /// A sample was encoded; `bytes` is the size of the whole if it is like the sample.
    mutating func didSample(_ position: Double, bytes: Double) {
        samples.append(Known(position: position, bytes: max(1, bytes)))
    }

    /// The whole was encoded; later estimates agree with it.
    mutating func didEncode(_ position: Double, byteCount: Int) {
        let bias = max(1, Double(byteCount)) / max(1, estimate(position))
        samples.removeAll { $0.position == position }
        // The whole differs from its samples elsewhere as it does here.
        for place in samples.indices { samples[place].bytes *= bias }
        attempts.append((position, byteCount))
    }

    /// The next step.
    func next() -> Step {
        guard !attempts.isEmpty else { return first() }
        let fitting = attempts.filter { $0.byteCount <= maxBytes }
        guard let best = fitting.max(by: { $0.byteCount < $1.byteCount }) else { return lower() }
        let share = Double(best.byteCount) / Double(maxBytes)
        // As asked for, or close to the budget: more encodings cost more than the last bytes are worth.
        if best.position == 0 || share >= (attempts.count == 1 ? 0.85 : 0.75) { return .end }
        guard attempts.count < Self.maxEncodes - 1 else { return .end }
        let place = ladder.position(for: 0.95 * Double(maxBytes), in: bounds, estimate)
        return isKnown(place) ? .end : .encode(place)
    }

    /// The step before anything is encoded.
    private func first() -> Step {
        let aim = Self.aims[0] * Double(maxBytes)
        let place = ladder.position(for: aim, in: bounds, estimate)
        guard place > 0 else { return .encode(0) }
        if let last = samples.last, (0.92 * aim...1.02 * aim).contains(last.bytes) {
            return .encode(last.position)
        }
        let isSampled = samples.contains { settings($0.position) == settings(place) }
        return isSampled || samples.count == Self.maxSamples ? .encode(place) : .sample(place)
    }

    /// The step where no encoding fits.
    private func lower() -> Step {
        if attempts.contains(where: { $0.position == ladder.end }) { return .end }
        guard attempts.count < Self.maxEncodes else { return .encode(ladder.end) }
        let aim = Self.aims[attempts.count] * Double(maxBytes)
        let place = ladder.position(for: aim, in: bounds, estimate)
        guard isKnown(place) else { return .encode(place) }
        let below = (place + bounds.upperBound) / 2
        return .encode(isKnown(below) ? ladder.end : below)
    }

    /// The positions between what does not fit and what does.
    private var bounds: ClosedRange<Double> {
        let over = attempts.filter { $0.byteCount > maxBytes }.map(\.position).max() ?? 0
        let fitting = attempts.filter { $0.byteCount <= maxBytes }.map(\.position).min()
        return over...max(over, fitting ?? ladder.end)
    }

    private func settings(_ position: Double) -> ThumbnailSettings {
        ladder.settings(at: position)
    }

    /// Whether the whole was encoded with the same settings.
    private func isKnown(_ position: Double) -> Bool {
        attempts.contains { settings($0.position) == settings(position) }
    }

    /// The bytes expected at a position: those of the model, corrected by what is known on both sides.
    private func estimate(_ position: Double) -> Double {
        let known =
            (samples + attempts.map { Known(position: $0.position, bytes: Double($0.byteCount)) })
            .sorted { $0.position < $1.position }
        let own = model.bytes(ladder.level(at: position))
        func error(_ known: Known) -> Double {
            Glibc.log(max(1, known.bytes) / max(1, model.bytes(ladder.level(at: known.position))))
        }
        let above = known.last { $0.position <= position }
        let below = known.first { $0.position >= position }
        guard let above = above ?? below, let below = below ?? known.last else { return own }
        let distance = below.position - above.position
        let share = distance > 0 ? (position - above.position) / distance : 0
        return own * Glibc.exp(error(above) * (1 - share) + error(below) * share)
    }
}
