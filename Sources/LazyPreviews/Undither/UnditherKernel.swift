internal import LazyMedia

/// The filter's inner loops, over planes of 16-bit values a few rows high.
///
/// For each pixel a guide is made first, a small blur in which dots of one shade look alike. A
/// neighbour counts where its guide is close and its own colour not far.
struct UnditherKernel: ~Copyable {
    /// How far the guides of pixels of one shade are from each other, in each channel.
    static let mostGuideStep: Int16 = 9
    /// How far dots of one shade are from each other, in each channel.
    static let mostStep: Int16 = 64
    /// Rows of pixels and of guides that are kept: one above and one below, and what the guide of
    /// the one below needs.
    private static let ring = 8

    private let width: Int
    private let height: Int
    private let share: Int32
    /// Values in a row: a pixel more at both ends, and room for whole vectors.
    private let pitch: Int
    private let memory: UnsafeMutablePointer<Int16>
    private let pixels: UnsafeMutablePointer<Int16>
    private let guides: UnsafeMutablePointer<Int16>
    private let sums: UnsafeMutablePointer<Int16>

    init(_ size: PixelSize, share: Int32) {
        width = size.width
        height = size.height
        self.share = share
        pitch = size.width + 32
        let plane = 3 * pitch * Self.ring
        memory = .allocate(capacity: 2 * plane + 4 * pitch)
        memory.initialize(repeating: 0, count: 2 * plane + 4 * pitch)
        pixels = memory
        guides = memory + plane
        sums = memory + 2 * plane
    }

    deinit { memory.deallocate() }

    /// Filters all rows of a picture.
    mutating func run(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) {
        guard let from = source.bindMemory(to: UInt8.self).baseAddress,
            let to = target.bindMemory(to: UInt8.self).baseAddress
        else { return }
        for y in 0..<min(height, 2) { load(y, from) }
        for y in 0..<min(height, 1) { guide(y) }
        for y in 0..<height {
            if y + 2 < height { load(y + 2, from) }
            if y + 1 < height { guide(y + 1) }
            sum(y)
            store(y, from + y * width * 4, to + y * width * 4)
        }
    }

    /// The row of a channel, beginning with its first pixel; rows beyond the edge are the edge's.
    @inline(__always)
    private func row(
        _ planes: UnsafeMutablePointer<Int16>, _ y: Int, _ channel: Int
    ) -> UnsafeMutablePointer<Int16> {
        let line = min(max(y, 0), height - 1) & (Self.ring - 1)
        return planes + (line * 3 + channel) * pitch + 8
    }

    private func load(_ y: Int, _ source: UnsafePointer<UInt8>) {
        let from = source + y * width * 4
        for channel in 0..<3 {
            let to = row(pixels, y, channel)
            for x in 0..<width { to[x] = Int16(from[x * 4 + channel]) }
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

    private func sum(_ y: Int) {
        let total = sums + 3 * pitch
        for channel in 0..<3 {
            let here = row(pixels, y, channel)
            let to = sums + channel * pitch
            for x in 0..<width { to[x] = 4 &* here[x] }
        }
        for x in 0..<width { total[x] = 4 }
        for dy in -1...1 {
            for dx in -1...1 where dx != 0 || dy != 0 {
                add(y, dx, dy, weight: dx == 0 || dy == 0 ? 2 : 1)
            }
        }
    }

    /// Adds the neighbours in one direction where they belong to the same shade.
    @inline(__always)
    private func add(_ y: Int, _ dx: Int, _ dy: Int, weight: Int16) {
        let (r, g, b) = (row(pixels, y, 0), row(pixels, y, 1), row(pixels, y, 2))
        let (gr, gg, gb) = (row(guides, y, 0), row(guides, y, 1), row(guides, y, 2))
        let (nr, ng) = (row(pixels, y + dy, 0) + dx, row(pixels, y + dy, 1) + dx)
        let nb = row(pixels, y + dy, 2) + dx
        let (ngr, ngg) = (row(guides, y + dy, 0) + dx, row(guides, y + dy, 1) + dx)
        let ngb = row(guides, y + dy, 2) + dx
        let (sr, sg, sb) = (sums, sums + pitch, sums + 2 * pitch)
        let total = sums + 3 * pitch
        let mostGuide = Self.mostGuideStep &* 4
        for x in 0..<width {
            let step = max(
                Self.distance(r[x], nr[x]),
                max(Self.distance(g[x], ng[x]), Self.distance(b[x], nb[x])))
            let guideStep = max(
                Self.distance(gr[x], ngr[x]),
                max(Self.distance(gg[x], ngg[x]), Self.distance(gb[x], ngb[x])))
            let counts = step <= Self.mostStep && guideStep <= mostGuide ? weight : 0
            sr[x] &+= nr[x] &* counts
            sg[x] &+= ng[x] &* counts
            sb[x] &+= nb[x] &* counts
            total[x] &+= counts
        }
    }

    @inline(__always)
    private static func distance(_ a: Int16, _ b: Int16) -> Int16 { max(a &- b, b &- a) }

    private func store(
        _ y: Int, _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>
    ) {
        let total = sums + 3 * pitch
        for x in 0..<width {
            let weight = Int32(total[x])
            let place = x * 4
            target[place + 3] = source[place + 3]
            for channel in 0..<3 {
                let old = Int32(source[place + channel])
                let mean = (Int32(sums[channel * pitch + x]) &* 2 &+ weight) / (2 &* weight)
                let new = old &+ ((mean &- old) &* share) >> 8
                target[place + channel] =
                    source[place + 3] == 255
                    ? UInt8(truncatingIfNeeded: new) : source[place + channel]
            }
        }
    }
}
