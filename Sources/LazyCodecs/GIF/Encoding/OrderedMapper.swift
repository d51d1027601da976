internal import LazyMedia

/// Maps some rows, frame by frame, to the nearest color or by ordered dithering.
///
/// A pixel keeps the shown color while that is nearly as good as the best, so noise neither
/// flickers nor costs bytes. Unchecked: see `PixelMemory`; each mapper has its own rows and is used
/// by one thread at a time.
final class OrderedMapper: RowMapping, @unchecked Sendable {
    private let rows: Range<Int>
    private let width: Int
    private let tolerance: Int32
    private let thresholds: [Int32]
    private let finder = PaletteLookup()
    private var table: GIFColorTable?
    private var colors: [UInt32] = []
    var changes: [(changed: PixelRect, cleared: PixelRect)] = []

    init(rows: Range<Int>, width: Int, _ style: MappingStyle) {
        self.rows = rows
        self.width = width
        tolerance = style.tolerance
        thresholds = style.thresholds
    }

    func map(
        _ job: GIFFrameJob, shown: PixelMemory<UInt32>, indices: PixelMemory<UInt16>
    ) {
        if table != job.table { take(job.table, indices) }
        var bounds = (changed: ChangeBounds(), cleared: ChangeBounds())
        colors.withUnsafeBufferPointer { colors in
            thresholds.withUnsafeBufferPointer { thresholds in
                for y in rows {
                    mapRow(y, job, shown.values, indices.values, colors, thresholds, &bounds)
                }
            }
        }
        changes.append((bounds.changed.rect, bounds.cleared.rect))
    }

    private func take(
        _ table: GIFColorTable, _ indices: PixelMemory<UInt16>
    ) {
        self.table = table
        colors = table.colors
        finder.use(colors)
        // The shown pixels' indices belong to another palette.
        for place in rows.lowerBound * width..<rows.upperBound * width {
            indices.values[place] = GIFSymbol.leftOnly
        }
    }

    @inline(__always)
    private func mapRow(
        _ y: Int, _ job: GIFFrameJob, _ shown: UnsafeMutablePointer<UInt32>,
        _ indices: UnsafeMutablePointer<UInt16>, _ colors: UnsafeBufferPointer<UInt32>,
        _ thresholds: UnsafeBufferPointer<Int32>,
        _ bounds: inout (changed: ChangeBounds, cleared: ChangeBounds)
    ) {
        let first = y * width
        let pattern = (y & 7) << 3
        for x in 0..<width {
            let place = first + x
            let pixel = job.pixels.values[place]
            let old = shown[place]
            guard pixel != 0 else {
                job.symbols.values[place] = GIFSymbol.clear
                if old != 0 {
                    bounds.cleared.add(x, y)
                    shown[place] = 0
                }
                continue
            }
            let match = finder.match(pixel)
            let takesOther = Int32(match.share) > thresholds[pattern | x & 7]
            let index = takesOther ? match.other : match.nearest
            let color = colors[Int(index)]
            if old != 0 {
                if old == color {
                    job.symbols.values[place] = UInt16(index) | GIFSymbol.kept
                    indices[place] = UInt16(index)
                    continue
                }
                if PixelError.between(old, pixel) <= PixelError.between(color, pixel) + tolerance {
                    let known = indices[place]
                    let isKnown = known & GIFSymbol.leftOnly == 0
                    job.symbols.values[place] =
                        GIFSymbol.kept | (isKnown ? known : UInt16(index) | GIFSymbol.leftOnly)
                    continue
                }
            }
            job.symbols.values[place] = UInt16(index)
            shown[place] = color
            indices[place] = UInt16(index)
            bounds.changed.add(x, y)
        }
    }
}
