internal import LazyMedia

/// From a level of the model to settings of an encoder; pure.
struct BudgetLadder: Hashable, Sendable {
    /// What was asked for.
    let full: Settings
    let type: MediaType
    /// The size that was asked for, in pixels.
    let size: PixelSize
    /// Frames a second as asked for, or those of the source.
    let rate: Rational

    /// The share of the way to the last quality from which on blocks are seen: a smaller picture
    /// looks better than that.
    private static let blocky = 0.6
    /// As far as one goes first: half the size, but no smaller than this, and nearly all frames.
    private static let goodSide = 160.0
    private static let goodRate = 8.0
    /// Below these a thumbnail is hardly worth looking at.
    private static let leastRate = 5.0
    private static let leastSide = 96.0
    /// Below these it is none.
    private static let lastQuality = 20.0
    private static let lastColors = 32
    private static let lastRate = 2.0
    private static let lastSide = 32.0

    /// The settings of a level.
    func settings(_ level: SizeModel.Level) -> Settings {
        var settings = full
        coarsen(&settings.encoding, level.coarseness)
        if level.rate < 1 {
            settings.edit.frameRate = Rational(
                Int64((rate.doubleValue * level.rate * 1000).rounded()), 1000)
        }
        if level.scale < 1 {
            settings.edit.size = TargetSize(
                width: Self.side(size.width, level.scale),
                height: Self.side(size.height, level.scale),
                fit: full.edit.size?.fit == .cover ? .cover : .fill)
        }
        return settings
    }

    /// How far one goes willingly, the first steps first.
    var willing: [SizeModel.Floors] {
        let half = Double(max(size.width, size.height)) / 2
        return [
            floors(Self.blocky, Self.goodRate, max(half, Self.goodSide)),
            floors(Self.blocky, Self.leastRate, Self.leastSide),
        ]
    }

    /// How far one goes in need: quality is the last thing to be given up.
    var inNeed: [SizeModel.Floors] {
        [floors(Self.blocky, Self.lastRate, Self.lastSide), last]
    }

    private var last: SizeModel.Floors { floors(1, Self.lastRate, Self.lastSide) }

    private func floors(
        _ coarseness: Double, _ leastRate: Double, _ leastSide: Double
    ) -> SizeModel.Floors {
        let longest = Double(max(size.width, size.height))
        return SizeModel.Floors(
            coarseness: full.encoding.lossless == true ? 0 : coarseness,
            rate: min(1, leastRate / rate.doubleValue), scale: min(1, leastSide / longest))
    }

    /// The least that there is.
    var lowest: SizeModel.Level {
        let floors = last
        return SizeModel.Level(
            coarseness: floors.coarseness, rate: floors.rate, scale: floors.scale)
    }

    private func coarsen(_ encoding: inout EncodingOptions, _ share: Double) {
        guard share > 0 else { return }
        let quality = encoding.quality ?? Self.usualQuality(type)
        let floor = min(quality, Self.lastQuality)
        encoding.quality = ((quality + (floor - quality) * share) * 10).rounded() / 10
        let most = min(encoding.colors, Self.lastColors)
        encoding.colors = encoding.colors - Int(Double(encoding.colors - most) * share)
        // Exactness is the first thing that bytes can be saved by.
        encoding.lossless = false
    }

    /// About what the encoders take where nothing is said.
    private static func usualQuality(_ type: MediaType) -> Double {
        type == .avifSequence ? 60 : 75
    }

    private static func side(_ side: Int, _ scale: Double) -> Int {
        max(1, Int((Double(side) * scale).rounded(.down)))
    }
}
