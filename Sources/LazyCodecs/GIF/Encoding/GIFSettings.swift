internal import LazyMedia

/// What the options mean for a GIF.
struct GIFSettings: Sendable {
    /// The most colors of a palette beside the transparent index.
    let visibleColors: Int
    /// The most colors that are kept exactly.
    let maxColors: Int
    let scope: PaletteScope
    let dither: Dither
    let matte: PixelColor?
    let threads: Int
    let quality: Double
    /// The loss of what keeps its colors and of a single picture, and of frames that do not keep them, as gifsicle counts.
    private let losses: (exact: Int, mapped: Int)

    init(_ options: EncodingOptions, threads: Int) {
        // With 2 or 3 colors the transparent index is free: codes do not get longer.
        visibleColors = options.colors <= 3 ? options.colors : options.colors - 1
        maxColors = options.colors == 256 ? 256 : visibleColors
        scope = options.palettes
        dither = options.dither
        matte = options.background
        self.threads = threads > 0 ? threads : BlockingPool.coreCount
        quality = min(max(options.quality ?? DefaultQuality.standard, 0), 100)
        // At 60, that of gifsicle's own `--lossy=80`.
        let asked = options.quality.map { Int((2 * (100 - min(max($0, 0), 100))).rounded()) }
        let isLossy = options.lossless == false
        let loss = asked ?? (isLossy ? 80 : 0)
        // The quality of mapped frames is what they keep of the frame before; a single picture has none.
        losses = (loss, isLossy ? loss : 0)
    }

    /// Makes the palettes of a segment; `last` is the previous palette, if any, `isSingle` says that there is one picture.
    func makePalettes(
        _ census: borrowing PaletteAnalyzer, _ size: PixelSize, last: GIFColorTable?, isSingle: Bool
    ) -> GIFPalettes {
        let mappedLoss = isSingle ? losses.exact : losses.mapped
        if census.isExact {
            let painter = ExactPainter(size, all: census.allColors, maxColors: maxColors)
            return GIFPalettes(
                tables: [], painter: painter, style: style(isFlat: true), loss: losses.exact)
        }
        let scenes = census.scenes
        let all = ColorHistogram.union(scenes)
        let style = style(isFlat: ColorHistogram.isFlat(all))
        if let last, reuses(last, for: all) {
            let tables = scenes.map { _ in last }
            return GIFPalettes(tables: tables, painter: nil, style: style, loss: mappedLoss)
        }
        let shared = ColorQuantizer(all, count: visibleColors, threads: threads)
        let table = GIFColorTable(shared.colors)
        return GIFPalettes(
            tables: scenes.map { scene in
                guard scenes.count > 1, scope != .clip else { return table }
                let own = ColorQuantizer(scene, count: visibleColors, threads: threads)
                let gain =
                    ColorQuantizer.error(of: scene, under: table.colors) / max(own.error, 0.01)
                let isBetter = scope == .scene || gain > Self.worthyGain
                return isBetter ? GIFColorTable(own.colors) : table
            }, painter: nil, style: style, loss: mappedLoss, shared: table)
    }

    /// The gain in error from which on a scene's own palette is worth its bytes in each frame.
    private static let worthyGain: Float = 1.6

    private func reuses(_ last: GIFColorTable, for all: [ColorHistogram.Entry]) -> Bool {
        if scope != .auto { return scope == .clip }
        let own = ColorQuantizer(all, count: visibleColors, threads: threads)
        return ColorQuantizer.error(of: all, under: last.colors) < own.error * 1.25
    }

    private func style(isFlat: Bool) -> MappingStyle {
        // At 75, noise as left by video codecs is suppressed.
        let laxity = (100 - quality) / 25
        // A third of the pattern hides most banding and costs 0.2 dB.
        let strength: Int32 = dither == .ordered ? 256 : dither == .auto && !isFlat ? 96 : 0
        return MappingStyle(
            tolerance: Int32(laxity * laxity * 40), strength: strength,
            diffuses: dither == .diffusion)
    }
}

/// The palettes of a segment of frames.
struct GIFPalettes: Sendable {
    /// One for each scene.
    let tables: [GIFColorTable]
    /// The painter of exact palettes, where possible.
    let painter: ExactPainter?
    let style: MappingStyle
    /// How much colors may differ for shorter codes.
    let loss: Int
    /// The palette of the whole file, if this is its first segment.
    let shared: GIFColorTable?

    init(
        tables: [GIFColorTable], painter: ExactPainter?, style: MappingStyle, loss: Int,
        shared: GIFColorTable? = nil
    ) {
        self.loss = loss
        self.tables = tables
        self.painter = painter
        self.style = style
        self.shared = shared ?? painter?.table ?? tables.first
    }
}
