internal import LazyMedia

/// The filter's inner loops, over planes of 16-bit values a few rows high.
///
/// A guide is computed for each pixel first: a small blur in which dots of one shade are similar. A
/// neighbor counts if its guide is close and its own color not far. Each pair of pixels is compared
/// once.
struct UnditherKernel: ~Copyable {
    private typealias Lanes = SIMD8<Int16>

    /// The largest distance of the guides of one shade, per channel.
    static let maxGuideStep: Int16 = 9
    /// The largest distance of the dots of one shade, per channel.
    static let maxStep: Int16 = 64
    /// Rows of pixels and of guides that are kept: one above, one below, and those that the guide of
    /// the one below needs.
    private static let ring = 8

    private let width: Int
    private let height: Int
    private let share: Int32
    /// Values per row: one extra pixel at both ends, rounded up to whole vectors.
    private let pitch: Int
    private let memory: UnsafeMutablePointer<Int16>
    private let pixels: UnsafeMutablePointer<Int16>
    private let guides: UnsafeMutablePointer<Int16>
    private let sums: UnsafeMutablePointer<Int16>
    /// All bits of a pixel are set if it is similar to its neighbor to the right, below left, below, and
    /// below right: four rows for a row of pixels, and those of the row above.
    private let likes: UnsafeMutablePointer<Int16>
    /// The reciprocal of each pixel's weight.
    private let parts: UnsafeMutablePointer<Float>

    init(_ size: PixelSize, share: Int32) {
        width = size.width
        height = size.height
        self.share = share
        pitch = size.width + 32
        let plane = 3 * pitch * Self.ring
        let count = 2 * plane + 12 * pitch
        memory = .allocate(capacity: count)
        memory.initialize(repeating: 0, count: count)
        pixels = memory
        guides = memory + plane
        sums = memory + 2 * plane
        likes = sums + 4 * pitch
        parts = .allocate(capacity: pitch)
        parts.initialize(repeating: 0, count: pitch)
    }

    deinit {
        memory.deallocate()
        parts.deallocate()
    }

    /// Filters all rows of a picture.
    mutating func run(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) {
        guard height > 0, let from = source.bindMemory(to: UInt32.self).baseAddress,
            let to = target.bindMemory(to: UInt32.self).baseAddress
        else { return }
        for y in 0..<min(height, 2) { load(y, from) }
        guide(0)
        compare(-1)
        for y in 0..<height {
            if y + 2 < height { load(y + 2, from) }
            if y + 1 < height { guide(y + 1) }
            compare(y)
            sum(y)
            divide()
            store(from + y * width, to + y * width)
        }
    }

    /// The row of a channel, from its first pixel; rows outside repeat the edge.
    @inline(__always)
    private func row(
        _ planes: UnsafeMutablePointer<Int16>, _ y: Int, _ channel: Int
    ) -> UnsafeMutablePointer<Int16> {
        let line = min(max(y, 0), height - 1) & (Self.ring - 1)
        return planes + (line * 3 + channel) * pitch + 8
    }

    /// The row of masks of pixels that are similar to their neighbors in one of four directions.
    @inline(__always)
    private func likes(_ y: Int, _ direction: Int) -> UnsafeMutablePointer<Int16> {
        likes + ((y & 1) * 4 + direction) * pitch + 8
    }

    @inline(__always)
    private static func lanes(_ values: UnsafePointer<Int16>) -> Lanes {
        UnsafeRawPointer(values).loadUnaligned(as: Lanes.self)
    }

    @inline(__always)
    private static func put(_ lanes: Lanes, _ values: UnsafeMutablePointer<Int16>) {
        UnsafeMutableRawPointer(values).storeBytes(of: lanes, as: Lanes.self)
    }

    private func load(_ y: Int, _ source: UnsafePointer<UInt32>) {
        let from = source + y * width
        let (r, g, b) = (row(pixels, y, 0), row(pixels, y, 1), row(pixels, y, 2))
        for x in 0..<width {
            let pixel = from[x]
            r[x] = Int16(truncatingIfNeeded: pixel & 0xFF)
            g[x] = Int16(truncatingIfNeeded: pixel >> 8 & 0xFF)
            b[x] = Int16(truncatingIfNeeded: pixel >> 16 & 0xFF)
        }
        for channel in 0..<3 {
            let to = row(pixels, y, channel)
            to[-1] = to[0]
            to[width] = to[width - 1]
        }
    }

    /// Weights 1, 2 and 1 in both directions; the values are four times as large as pixels.
    private func guide(_ y: Int) {
        for channel in 0..<3 {
            let above = row(pixels, y - 1, channel)
            let here = row(pixels, y, channel)
            let below = row(pixels, y + 1, channel)
            let to = row(guides, y, channel)
            for x in 0..<width {
                let left = above[x - 1] &+ 2 &* here[x - 1] &+ below[x - 1]
                let middle = above[x] &+ 2 &* here[x] &+ below[x]
                let right = above[x + 1] &+ 2 &* here[x + 1] &+ below[x + 1]
                to[x] = (left &+ 2 &* middle &+ right) >> 2
            }
            to[-1] = to[0]
            to[width] = to[width - 1]
        }
    }

    /// Compares the pixels of a row with those to the right and below.
    private func compare(_ y: Int) {
        let directions = [(1, 0), (-1, 1), (0, 1), (1, 1)]
        for (number, (dx, dy)) in directions.enumerated() {
            compare(y, dx, dy, likes(y, number))
        }
        // The first pixel is repeated before itself.
        likes(y, 0)[-1] = -1
        likes(y, 3)[-1] = likes(y, 2)[0]
    }

    @inline(__always)
    private func compare(_ y: Int, _ dx: Int, _ dy: Int, _ to: UnsafeMutablePointer<Int16>) {
        let (r, g, b) = (row(pixels, y, 0), row(pixels, y, 1), row(pixels, y, 2))
        let (gr, gg, gb) = (row(guides, y, 0), row(guides, y, 1), row(guides, y, 2))
        let (nr, ng) = (row(pixels, y + dy, 0) + dx, row(pixels, y + dy, 1) + dx)
        let nb = row(pixels, y + dy, 2) + dx
        let (ngr, ngg) = (row(guides, y + dy, 0) + dx, row(guides, y + dy, 1) + dx)
        let ngb = row(guides, y + dy, 2) + dx
        let (most, maxGuide) = (
            Lanes(repeating: Self.maxStep), Lanes(repeating: Self.maxGuideStep &* 4)
        )
        var x = 0
        while x <= width {
            // Negative if a difference is too large.
            let far =
                Self.far(r + x, nr + x, most) | Self.far(g + x, ng + x, most)
                | Self.far(b + x, nb + x, most) | Self.far(gr + x, ngr + x, maxGuide)
                | Self.far(gg + x, ngg + x, maxGuide) | Self.far(gb + x, ngb + x, maxGuide)
            Self.put(~(far &>> 15), to + x)
            x += 8
        }
    }

    @inline(__always)
    private static func far(
        _ one: UnsafePointer<Int16>, _ other: UnsafePointer<Int16>, _ most: Lanes
    ) -> Lanes {
        let step = lanes(one) &- lanes(other)
        return (most &- step) | (most &+ step)
    }

    /// Adds to each pixel the neighbors of its shade: those beside it with weight 2, itself with 4.
    private func sum(_ y: Int) {
        let (right, belowLeft) = (likes(y, 0), likes(y, 1))
        let (below, belowRight) = (likes(y, 2), likes(y, 3))
        let (aboveRight, above, aboveLeft) = (likes(y - 1, 1), likes(y - 1, 2), likes(y - 1, 3))
        var x = 0
        while x < width {
            let (e, w) = (Self.lanes(right + x), Self.lanes(right + x - 1))
            let (s, n) = (Self.lanes(below + x), Self.lanes(above + x))
            let (sw, se) = (Self.lanes(belowLeft + x), Self.lanes(belowRight + x))
            let (ne, nw) = (Self.lanes(aboveRight + x + 1), Self.lanes(aboveLeft + x - 1))
            for channel in 0..<3 {
                let here = row(pixels, y, channel) + x
                let up = row(pixels, y - 1, channel) + x
                let down = row(pixels, y + 1, channel) + x
                let beside =
                    (Self.lanes(here + 1) & e) &+ (Self.lanes(here - 1) & w)
                    &+ (Self.lanes(down) & s) &+ (Self.lanes(up) & n)
                let corners =
                    (Self.lanes(down - 1) & sw) &+ (Self.lanes(down + 1) & se)
                    &+ (Self.lanes(up + 1) & ne) &+ (Self.lanes(up - 1) & nw)
                let twice = beside &+ (Self.lanes(here) &<< 1)
                Self.put((twice &<< 1) &+ corners, sums + channel * pitch + x)
            }
            // Similar pixels are -1.
            let twice = Lanes(repeating: 2) &- e &- w &- s &- n
            Self.put((twice &<< 1) &- sw &- se &- ne &- nw, sums + 3 * pitch + x)
            x += 8
        }
    }

    /// Divides the sums by their weights.
    private func divide() {
        let total = sums + 3 * pitch
        let part = parts
        for x in 0..<width { part[x] = 1 / Float(total[x] &* 2) }
        for channel in 0..<3 {
            let sum = sums + channel * pitch
            for x in 0..<width {
                // Quotients are 1/32 apart or more, so that this is exact.
                let mean = Float(sum[x] &* 2 &+ total[x]) * part[x] + 0.004
                sum[x] = mean.below
            }
        }
    }

    /// Stores the means; pixels that are not opaque stay.
    private func store(
        _ source: UnsafePointer<UInt32>, _ target: UnsafeMutablePointer<UInt32>
    ) {
        let (red, green, blue) = (sums, sums + pitch, sums + 2 * pitch)
        let share = share
        for x in 0..<width {
            let pixel = source[x]
            let r = Self.mix(pixel, red[x], share)
            let g = Self.mix(pixel >> 8, green[x], share)
            let b = Self.mix(pixel >> 16, blue[x], share)
            let mixed = r | g << 8 | b << 16 | 0xFF00_0000
            target[x] = pixel >= 0xFF00_0000 ? mixed : pixel
        }
    }

    /// A channel's value blended towards the mean.
    @inline(__always)
    private static func mix(_ pixel: UInt32, _ mean: Int16, _ share: Int32) -> UInt32 {
        let old = Int32(truncatingIfNeeded: pixel & 0xFF)
        return UInt32(truncatingIfNeeded: old &+ ((Int32(mean) &- old) &* share) >> 8)
    }
}

extension Float {
    /// The floor of a small positive number that is not whole.
    @inline(__always)
    fileprivate var below: Int16 {
        // Floats from 2^23 on have no fraction; the integer is in their low bits.
        Int16(truncatingIfNeeded: ((self - 0.5) + 8_388_608).bitPattern)
    }
}
