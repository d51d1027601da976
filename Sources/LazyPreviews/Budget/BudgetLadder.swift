internal import LazyEditing
internal import LazyMedia

/// Maps levels of the size model to settings of an encoder; pure.
struct BudgetLadder: Hashable, Sendable {
    /// The settings asked for.
    let full: ThumbnailSettings
    /// The default quality of the encoder.
    let defaultQuality: Double
    /// The size asked for, in pixels.
    let size: PixelSize
    /// Frames per second as asked for, or those of the source.
    let rate: Rational

    /// The lowest values that still give a usable thumbnail.
    private static let lastQuality = 20.0
    private static let lastColors = 32

    /// The limits of each stage: coarseness towards the lowest quality, frames per second, and the
    /// longest side.
    ///
    /// Blocking artifacts are visible from about half of the coarseness on; a smaller picture looks
    /// better than that, and a picture of a hundred pixels at a low rate better than a tiny one that is
    /// smooth.
    private static let stages: [(coarseness: Double, rate: Double, side: Double)] = [
        (0.6, 8, 160), (0.6, 5, 128), (0.8, 3, 96), (0.8, 2, 64), (1, 2, 32),
    ]

    /// The settings of a level.
    func settings(_ level: SizeModel.Level) -> ThumbnailSettings {
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

    /// The floors of each stage; in the first one the size is at most halved.
    var floors: [SizeModel.Floors] {
        let longest = Double(max(size.width, size.height))
        return Self.stages.enumerated().map { number, stage in
            let side = number == 0 ? max(stage.side, longest / 2) : stage.side
            return SizeModel.Floors(
                coarseness: full.encoding.lossless == true ? 0 : stage.coarseness,
                rate: min(1, stage.rate / rate.doubleValue), scale: min(1, side / longest))
        }
    }

    /// The level of the smallest result.
    var lowest: SizeModel.Level {
        let last = floors[floors.count - 1]
        return SizeModel.Level(coarseness: last.coarseness, rate: last.rate, scale: last.scale)
    }

    private func coarsen(_ encoding: inout EncodingOptions, _ share: Double) {
        guard share > 0 else { return }
        let quality = encoding.quality ?? defaultQuality
        let floor = min(quality, Self.lastQuality)
        encoding.quality = ((quality + (floor - quality) * share) * 10).rounded() / 10
        let most = min(encoding.colors, Self.lastColors)
        encoding.colors = encoding.colors - Int(Double(encoding.colors - most) * share)
        // Losslessness goes first.
        encoding.lossless = false
    }

    private static func side(_ side: Int, _ scale: Double) -> Int {
        max(1, Int((Double(side) * scale).rounded(.down)))
    }
}
