internal import LazyMedia

/// Maps whole frames by error diffusion that is stable where the picture is.
///
/// Errors go to the neighbors with Floyd and Steinberg's weights. An unchanged pixel keeps its
/// index and neither takes nor passes errors, so motion beside it cannot make it flicker.
/// Unchecked: see `PixelMemory`; one thread at a time.
final class DiffusionMapper: RowMapping, @unchecked Sendable {
    private let size: PixelSize
    private let tolerance: Int32
    private let before: PixelMemory<UInt32>
    /// Errors in sixteenths for this row and the next, with one pixel of margin at both ends.
    private var errors: [SIMD4<Int32>]
    private let finder = PaletteLookup()
    private var table: GIFColorTable?
    private var colors: [UInt32] = []
    var changes: [(changed: PixelRect, cleared: PixelRect)] = []

    init(_ size: PixelSize, _ style: MappingStyle) throws(MediaError) {
        self.size = size
        tolerance = style.tolerance
        before = try PixelMemory(size)
        errors = Array(repeating: .zero, count: 2 * (size.width + 2))
    }

    func map(_ job: GIFFrameJob, shown: PixelMemory<UInt32>, indices: PixelMemory<UInt16>) {
        if table != job.table {
            table = job.table
            colors = job.table.colors
            finder.use(colors)
            indices.values.update(repeating: GIFSymbol.leftOnly, count: indices.count)
        }
        var bounds = (changed: ChangeBounds(), cleared: ChangeBounds())
        errors.withUnsafeMutableBufferPointer { errors in
            errors.update(repeating: .zero)
            guard var now = errors.baseAddress else { return }
            var next = now + size.width + 2
            for y in 0..<size.height {
                mapRow(y, job, shown.values, indices.values, now + 1, next + 1, &bounds)
                swap(&now, &next)
                next.update(repeating: .zero, count: size.width + 2)
            }
        }
        before.copy(job.pixels)
        changes.append((bounds.changed.rect, bounds.cleared.rect))
    }

    private func mapRow(
        _ y: Int, _ job: GIFFrameJob, _ shown: UnsafeMutablePointer<UInt32>,
        _ indices: UnsafeMutablePointer<UInt16>, _ now: UnsafeMutablePointer<SIMD4<Int32>>,
        _ next: UnsafeMutablePointer<SIMD4<Int32>>,
        _ bounds: inout (changed: ChangeBounds, cleared: ChangeBounds)
    ) {
        let symbols = job.symbols.values
        for x in 0..<size.width {
            let place = y * size.width + x
            let pixel = job.pixels.values[place]
            let old = shown[place]
            guard pixel != 0 else {
                symbols[place] = GIFSymbol.clear
                if old != 0 { bounds.cleared.add(x, y) }
                shown[place] = 0
                continue
            }
            if old != 0, pixel == before.values[place] {
                symbols[place] = GIFSymbol.kept | indices[place]
                continue
            }
            let wanted = Self.shifted(pixel, by: now[x])
            let index = finder.match(wanted).nearest
            let color = colors[Int(index)]
            let best = PixelError.between(color, wanted)
            if old != 0, old == color || PixelError.between(old, wanted) <= best + tolerance {
                symbols[place] = GIFSymbol.kept | indices[place]
                Self.spread(wanted, old, x, now, next)
                continue
            }
            symbols[place] = UInt16(index)
            shown[place] = color
            indices[place] = UInt16(index)
            bounds.changed.add(x, y)
            Self.spread(wanted, color, x, now, next)
        }
    }

    /// A pixel with the errors of its neighbors, which are bounded so that they do not accumulate.
    @inline(__always)
    private static func shifted(_ pixel: UInt32, by error: SIMD4<Int32>) -> UInt32 {
        func channel(_ value: UInt32, _ error: Int32) -> UInt32 {
            let step = min(max(error >> 4, -32), 32)
            return UInt32(min(max(Int32(value & 0xFF) + step, 0), 255))
        }
        return 0xFF00_0000 | channel(pixel, error.x) | channel(pixel >> 8, error.y) << 8
            | channel(pixel >> 16, error.z) << 16
    }

    @inline(__always)
    private static func spread(
        _ wanted: UInt32, _ color: UInt32, _ x: Int, _ now: UnsafeMutablePointer<SIMD4<Int32>>,
        _ next: UnsafeMutablePointer<SIMD4<Int32>>
    ) {
        let error = SIMD4<Int32>(
            Int32(wanted & 0xFF) - Int32(color & 0xFF),
            Int32(wanted >> 8 & 0xFF) - Int32(color >> 8 & 0xFF),
            Int32(wanted >> 16 & 0xFF) - Int32(color >> 16 & 0xFF), 0)
        now[x + 1] &+= error &* 7
        next[x - 1] &+= error &* 3
        next[x] &+= error &* 5
        next[x + 1] &+= error
    }
}
