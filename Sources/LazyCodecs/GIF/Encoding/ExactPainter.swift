internal import LazyMedia

/// Maps frames of few colors to exact palettes.
struct ExactPainter: Sendable {
    private let size: PixelSize
    private let shared: GIFColorTable?
    private let known: ColorSet
    private let maxColors: Int

    /// Makes a painter; `all` are the colors of the whole segment if one palette holds them.
    init(_ size: PixelSize, all: [UInt32]?, maxColors: Int) {
        self.size = size
        self.maxColors = maxColors
        shared = all.map { GIFColorTable($0) }
        known = ColorSet(all ?? [])
    }

    /// The palette of the whole segment, or nil where each frame has its own.
    var table: GIFColorTable? { shared }

    /// Compares a frame with what is shown.
    static func compare(_ job: GIFFrameJob, with shown: PixelMemory<UInt32>, _ size: PixelSize) {
        var changed = ChangeBounds()
        var cleared = ChangeBounds()
        let pixels = job.pixels.values
        for y in 0..<size.height {
            for x in 0..<size.width {
                let place = y * size.width + x
                let pixel = pixels[place]
                let old = shown.values[place]
                if pixel == 0 {
                    job.symbols.values[place] = GIFSymbol.clear
                    if old != 0 { cleared.add(x, y) }
                } else if pixel == old {
                    job.symbols.values[place] = GIFSymbol.kept
                } else {
                    job.symbols.values[place] = 0
                    changed.add(x, y)
                }
            }
        }
        job.rect = changed.rect
        job.cleared = cleared.rect
    }

    /// Chooses a frame's palette and writes its indices.
    func paint(_ job: GIFFrameJob) {
        if let shared, shared.hasTransparent {
            job.table = shared
            return index(job, known)
        }
        let (needed, all, isOpaque) = colors(of: job)
        if needed.count < GIFColorTable.maxEntries, needed.count <= maxColors {
            job.table = GIFColorTable(needed.colors)
            return index(job, needed)
        }
        if isOpaque, all.count <= maxColors {
            job.table = shared ?? GIFColorTable(all.colors, wantsTransparent: false)
            return paintWhole(job, shared == nil ? all : known)
        }
        approximate(job)
    }

    /// The colors to paint, all colors of the rectangle, and whether it is opaque.
    private func colors(of job: GIFFrameJob) -> (ColorSet, ColorSet, Bool) {
        var needed = ColorSet()
        var all = ColorSet()
        var isOpaque = true
        for y in job.rect.y..<job.rect.bottom {
            for x in job.rect.x..<job.rect.right {
                let place = y * size.width + x
                let pixel = job.pixels.values[place]
                if pixel == 0 {
                    isOpaque = false
                    continue
                }
                if all.count <= GIFColorTable.maxEntries { all.insert(pixel) }
                let isNeeded = job.symbols.values[place] & 0xFF00 == 0
                if isNeeded, needed.count <= GIFColorTable.maxEntries { needed.insert(pixel) }
            }
        }
        return (needed, all, isOpaque)
    }

    private func index(_ job: GIFFrameJob, _ colors: ColorSet) {
        forEachPlace(job) { place in
            let pixel = job.pixels.values[place]
            guard pixel != 0 else { return }
            let flags = job.symbols.values[place] & 0xFF00
            if let number = colors.number(pixel) {
                job.symbols.values[place] = flags | number
            } else {
                job.symbols.values[place] = flags | GIFSymbol.leftOnly
            }
        }
    }

    private func paintWhole(_ job: GIFFrameJob, _ colors: ColorSet) {
        forEachPlace(job) { place in
            job.symbols.values[place] = colors.number(job.pixels.values[place]) ?? 0
        }
    }

    /// Replaces the rarest colors, one too many for a palette, by the nearest ones.
    private func approximate(_ job: GIFFrameJob) {
        var counts: [UInt32: Int] = [:]
        forEachPlace(job) { place in
            let isNeeded = job.symbols.values[place] & 0xFF00 == 0
            if isNeeded { counts[job.pixels.values[place], default: 0] += 1 }
        }
        let byCount = counts.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map(\.key)
        let most = min(maxColors, GIFColorTable.maxEntries - 1)
        let shown = ColorSet(Array(byCount.prefix(most)))
        job.table = GIFColorTable(shown.colors)
        var numbers: [UInt32: UInt16] = [:]
        for color in byCount.dropFirst(most) {
            let nearest = shown.colors.indices.min {
                PixelError.between(shown.colors[$0], color)
                    < PixelError.between(shown.colors[$1], color)
            }
            numbers[color] = UInt16(nearest ?? 0)
        }
        forEachPlace(job) { place in
            let pixel = job.pixels.values[place]
            let flags = job.symbols.values[place] & 0xFF00
            guard pixel != 0 else { return }
            if let number = shown.number(pixel) ?? (flags == 0 ? numbers[pixel] : nil) {
                job.symbols.values[place] = flags | number
            } else {
                job.symbols.values[place] = flags | GIFSymbol.leftOnly
            }
        }
    }

    @inline(__always)
    private func forEachPlace(_ job: GIFFrameJob, _ body: (Int) -> Void) {
        for y in job.rect.y..<job.rect.bottom {
            for place in (y * size.width + job.rect.x)..<(y * size.width + job.rect.right) {
                body(place)
            }
        }
    }
}
