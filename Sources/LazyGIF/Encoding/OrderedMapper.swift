internal import LazyMedia

/// Finds the indices of some rows, frame after frame: the nearest colour, or one of two by a fixed
/// pattern.
///
/// A pixel keeps the colour that is shown there as long as that is nearly as good as the best, so
/// that noise does not make it flicker, and costs nothing. Unchecked: see `PixelMemory`; each
/// mapper has rows of its own and is used by one thread at a time.
final class OrderedMapper: RowMapping, @unchecked Sendable {
    private let rows: Range<Int>
    private let width: Int
    private let tolerance: Int32
    private let thresholds: [Int32]
    private var finder = ColorFinder()
    private var table: GIFColorTable?
    private var colors: [UInt32] = []
    private var changed = ChangeBounds()
    private var cleared = ChangeBounds()
    var changes: [(changed: GIFRect, cleared: GIFRect)] = []

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
        changed = ChangeBounds()
        cleared = ChangeBounds()
        colors.withUnsafeBufferPointer { colors in
            thresholds.withUnsafeBufferPointer { thresholds in
                for y in rows { mapRow(y, job, shown.values, indices.values, colors, thresholds) }
            }
        }
        changes.append((changed.rect, cleared.rect))
    }

    private func take(
        _ table: GIFColorTable, _ indices: PixelMemory<UInt16>
    ) {
        self.table = table
        colors = table.colors
        finder.use(colors)
        // The indices of what is shown were those of another palette.
        for place in rows.lowerBound * width..<rows.upperBound * width {
            indices.values[place] = GIFSymbol.leftOnly
        }
    }

    @inline(__always)
    private func mapRow(
        _ y: Int, _ job: GIFFrameJob, _ shown: UnsafeMutablePointer<UInt32>,
        _ indices: UnsafeMutablePointer<UInt16>, _ colors: UnsafeBufferPointer<UInt32>,
        _ thresholds: UnsafeBufferPointer<Int32>
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
                    cleared.add(x, y)
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
            changed.add(x, y)
        }
    }
}

/// How far two colours are from each other as far as it is seen.
enum PixelError {
    /// The squared distance; green counts more and blue less, three for all.
    @inline(__always)
    static func between(_ a: UInt32, _ b: UInt32) -> Int32 {
        let red = Int32(a & 0xFF) - Int32(b & 0xFF)
        let green = Int32(a >> 8 & 0xFF) - Int32(b >> 8 & 0xFF)
        let blue = Int32(a >> 16 & 0xFF) - Int32(b >> 16 & 0xFF)
        return (red * red * 8 + green * green * 11 + blue * blue * 5) >> 3
    }
}

/// How indices are found.
struct MappingStyle: Hashable, Sendable {
    /// How much worse than the best a colour may be that is there already, squared.
    var tolerance: Int32 = 40
    /// How much of the pattern is used, 0 for the nearest colour to 256 for all of it.
    var strength: Int32 = 0
    /// Whether errors are spread to the neighbours instead.
    var diffuses = false

    /// For each place of an 8 by 8 pattern (Bayer's), the share in 256ths above which the other of
    /// two colours is shown.
    var thresholds: [Int32] {
        (0..<64).map { place in
            let (x, y) = (place & 7, place >> 3)
            var level: Int32 = 0
            for bit in 0..<3 {
                level |= Int32(y >> bit & 1) << Int32(2 * (2 - bit))
                level |= Int32((x ^ y) >> bit & 1) << Int32(2 * (2 - bit) + 1)
            }
            // From the whole range of levels to one around the middle.
            return 128 + (level * 4 + 2 - 128) * strength / 256
        }
    }
}
