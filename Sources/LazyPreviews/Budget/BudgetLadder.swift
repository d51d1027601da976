internal import LazyEditing
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

    /// Below these a thumbnail is none.
    private static let lastQuality = 20.0
    private static let lastColors = 32

    /// As far as one goes, stage by stage: the share of the way to the last quality, frames a second
    /// and the longest side.
    ///
    /// Blocks are seen from about half of that way on; a smaller picture looks better than that, and
    /// a picture of a hundred pixels that moves in steps better than a tiny one that is smooth.
    private static let stages: [(coarseness: Double, rate: Double, side: Double)] = [
        (0.6, 8, 160), (0.6, 5, 128), (0.8, 3, 96), (0.8, 2, 64), (1, 2, 32),
    ]

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

    /// How far one goes, the first steps first; of what is large no more than half at first.
    var floors: [SizeModel.Floors] {
        let longest = Double(max(size.width, size.height))
        return Self.stages.enumerated().map { number, stage in
            let side = number == 0 ? max(stage.side, longest / 2) : stage.side
            return SizeModel.Floors(
                coarseness: full.encoding.lossless == true ? 0 : stage.coarseness,
                rate: min(1, stage.rate / rate.doubleValue), scale: min(1, side / longest))
        }
    }

    /// The least that there is.
    var lowest: SizeModel.Level {
        let last = floors[floors.count - 1]
        return SizeModel.Level(coarseness: last.coarseness, rate: last.rate, scale: last.scale)
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
