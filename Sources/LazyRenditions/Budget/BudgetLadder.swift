internal import LazyEditing
internal import LazyMedia

/// The one order in which quality, size and frames are reduced for a budget; pure.
///
/// Positions lead from what was asked for, 0, down to the smallest result, `end`. The limits of the stages
/// are pixels and frames per second, not shares of what was asked for: whoever asks for a larger picture
/// gets one that is not smaller.
struct BudgetLadder: Hashable, Sendable {
    /// The settings asked for.
    let full: ThumbnailSettings
    /// What the format can reduce.
    let traits: FormatTraits
    /// The size asked for, in pixels, without a border.
    let size: PixelSize
    /// Whether the size was asked for exactly, so that quality and frames are reduced alone.
    let keepsSize: Bool
    /// Frames per second as asked for, or those of the source.
    let rate: Rational
    /// The frames at that rate.
    let frames: Int
    /// Whether a lower quality makes files smaller.
    let hasQuality: Bool
    /// The levels at whole positions, each below the one before.
    private let levels: [SizeModel.Level]

    /// Makes a ladder; without `gainsByQuality` a lower quality does not make the file smaller.
    init(
        full: ThumbnailSettings, traits: FormatTraits, size: PixelSize, keepsSize: Bool,
        rate: Rational, frames: Int, gainsByQuality: Bool = true
    ) {
        self.full = full
        self.traits = traits
        self.size = size
        self.keepsSize = keepsSize
        self.rate = rate
        self.frames = frames
        hasQuality =
            gainsByQuality && traits.fidelity != .exact && full.encoding.lossless != true
        let longest = Double(max(size.width, size.height))
        let least = Double(min(2, frames)) / Double(max(1, frames))
        var levels = [SizeModel.Level()]
        for stage in keepsSize ? Self.exactStages : Self.stages {
            let share = max(least, stage.rate / max(rate.doubleValue, 0.001))
            let steps: [(WritableKeyPath<SizeModel.Level, Double>, Double)] = [
                (\.coarseness, hasQuality ? stage.coarseness : 0),
                (\.scale, keepsSize ? 1 : min(1, stage.side / longest)), (\.rate, min(1, share)),
            ]
            for (knob, value) in steps {
                var level = levels[levels.count - 1]
                level[keyPath: knob] = value
                if level != levels[levels.count - 1] { levels.append(level) }
            }
        }
        self.levels = levels
    }

    /// The lowest values that still give a usable thumbnail.
    private static let lastQuality = 20.0
    private static let lastColors = 32

    /// The limits of each stage, where quality goes first, then the longest side, then frames per second.
    ///
    /// Blocking artifacts are visible from about half of the coarseness on; a smaller picture looks
    /// better than that, and a picture of a hundred pixels at a low rate better than a tiny one that is
    /// smooth.
    private static let stages: [(coarseness: Double, side: Double, rate: Double)] = [
        (0.6, 320, 15), (0.6, 160, 8), (0.6, 128, 5), (0.8, 96, 3), (0.8, 64, 2), (1, 32, 2),
    ]

    /// The same for a size that stays.
    private static let exactStages: [(coarseness: Double, side: Double, rate: Double)] = [
        (0.6, 0, 12), (0.6, 0, 8), (0.8, 0, 6), (1, 0, 4), (1, 0, 1),
    ]

    /// The level of the lowest quality at the full rate and size.
    var coarsest: SizeModel.Level { SizeModel.Level(coarseness: hasQuality ? 1 : 0) }

    /// The same where a lower quality does not make the file smaller.
    var withoutQuality: BudgetLadder {
        BudgetLadder(
            full: full, traits: traits, size: size, keepsSize: keepsSize, rate: rate,
            frames: frames, gainsByQuality: false)
    }

    /// The position of the smallest result.
    var end: Double { Double(levels.count - 1) }

    /// The level at a position.
    func level(at position: Double) -> SizeModel.Level {
        let place = min(max(0, position), end)
        let above = Int(place)
        guard above + 1 < levels.count else { return levels[levels.count - 1] }
        let share = place - Double(above)
        func between(_ knob: KeyPath<SizeModel.Level, Double>) -> Double {
            let (from, to) = (levels[above][keyPath: knob], levels[above + 1][keyPath: knob])
            return from + (to - from) * share
        }
        return SizeModel.Level(
            coarseness: between(\.coarseness), rate: between(\.rate), scale: between(\.scale))
    }

    /// The first position between two others at which an estimate is at most a number of bytes; the last
    /// one where there is none.
    func position(
        for bytes: Double, in range: ClosedRange<Double>, _ estimate: (Double) -> Double
    ) -> Double {
        var (over, fitting) = (range.lowerBound, range.upperBound)
        if estimate(over) <= bytes { return over }
        for _ in 0..<40 {
            let middle = (over + fitting) / 2
            if estimate(middle) <= bytes { fitting = middle } else { over = middle }
        }
        return fitting
    }

    /// The first level at which a model expects at most a number of bytes.
    func level(for maxBytes: Int, _ model: SizeModel) -> SizeModel.Level {
        level(at: position(for: Double(maxBytes), in: 0...end) { model.bytes(level(at: $0)) })
    }

    /// The settings at a position.
    func settings(at position: Double) -> ThumbnailSettings { settings(level(at: position)) }

    /// The settings of a level.
    func settings(_ level: SizeModel.Level) -> ThumbnailSettings {
        var settings = full
        coarsen(&settings.encoding, level.coarseness)
        let count = max(min(2, frames), Int((Double(frames) * level.rate).rounded()))
        if count < frames { thin(&settings.edit, to: count) }
        if level.scale < 1 {
            settings.edit.size = TargetSize(
                width: Self.side(size.width, level.scale),
                height: Self.side(size.height, level.scale),
                fit: full.edit.size?.fit == .cover ? .cover : .fill)
        }
        return settings
    }

    private func coarsen(_ encoding: inout EncodingOptions, _ share: Double) {
        guard share > 0 else { return }
        let quality = encoding.quality ?? traits.defaultQuality
        let floor = min(quality, Self.lastQuality)
        encoding.quality = ((quality + (floor - quality) * share) * 10).rounded() / 10
        let most = min(encoding.colors, Self.lastColors)
        encoding.colors = encoding.colors - Int(Double(encoding.colors - most) * share)
        // Losslessness goes first.
        encoding.lossless = false
    }

    /// Keeps this many of all frames: a rate of which the length is still a whole number of steps.
    private func thin(_ edit: inout ClipEdit, to count: Int) {
        let share = Double(count) / Double(frames)
        let isSmall = rate.numerator < 1 << 31 && rate.denominator < 1 << 31 && frames < 1 << 31
        edit.frameRate =
            isSmall
            ? Rational(rate.numerator * Int64(count), rate.denominator * Int64(frames)).reduced
            : Rational(Int64((rate.doubleValue * share * 1000).rounded()), 1000)
        edit.maxFrames = edit.maxFrames.map { max(1, Int((Double($0) * share).rounded())) }
    }

    private static func side(_ side: Int, _ scale: Double) -> Int {
        max(1, Int((Double(side) * scale).rounded(.down)))
    }
}
