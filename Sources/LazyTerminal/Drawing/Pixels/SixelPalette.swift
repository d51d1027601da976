internal import LazyMedia

/// The colors of sixel pictures, and the choice among them by ordered dithering.
///
/// The pattern is bound to the place of a pixel, so a color that does not change is dithered alike in
/// every frame.
struct SixelPalette: ~Copyable {
    /// What mapping a frame gave.
    struct Mapping {
        /// The number of pixels whose source changed, and of those that are drawn.
        var changed = 0
        var drawn = 0
        /// Whether a pixel becomes transparent, which drawing cannot do.
        var uncovers = false
        /// The squared error of the changed pixels, summed.
        fileprivate var error: Int64 = 0

        /// The mean squared error.
        fileprivate var meanError: Int64 { error / Int64(max(1, changed)) }
    }

    private(set) var colors: [UInt32] = []
    private let count: Int
    private let lookup = PaletteLookup()
    /// The mean error of the frame for which the colors were chosen.
    private var usualError: Int64 = 0

    /// How much worse than the best color the shown one may be, squared.
    private static let tolerance: Int32 = 48
    /// The pixels that are counted for the choice of colors, about.
    private static let sample = 60_000
    /// The fewest colors for new parts of a picture.
    private static let fewest = 48

    init(count: Int) { self.count = count }

    /// Chooses colors for the pixels of a frame.
    mutating func choose(_ frame: UnsafeBufferPointer<UInt32>) {
        var histogram = ColorHistogram()
        guard let pixels = frame.baseAddress else { return }
        histogram.add(pixels, count: frame.count, step: Self.step(frame.count))
        colors = ColorQuantizer(histogram.entries, count: count).colors.map(Self.rounded)
        if colors.isEmpty { colors = [0xFF00_0000] }
        lookup.use(colors)
    }

    /// Chooses colors for the pixels that change; false if the others leave too few.
    mutating func chooseAgain(_ frame: SixelFrame, keeping kept: [Bool]) -> Bool {
        let keeps = kept.count { $0 }
        guard count - keeps >= min(Self.fewest, count / 2) else { return false }
        var histogram = ColorHistogram()
        guard let pixels = frame.pixels.baseAddress else { return false }
        for place in stride(from: 0, to: frame.count, by: Self.step(frame.count))
        where pixels[place] != frame.before(place) {
            histogram.add(pixels + place, count: 1)
        }
        var fresh = ColorQuantizer(histogram.entries, count: count - keeps).colors
            .map(Self.rounded)[...]
        var next: [UInt32] = []
        for number in 0..<count {
            if kept[number], number < colors.count {
                next.append(colors[number])
            } else {
                // A free number without a new color has any color.
                next.append(fresh.popFirst() ?? 0xFF00_0000)
            }
        }
        colors = next
        lookup.use(colors)
        return true
    }

    // Odd, so that the places are not in few columns.
    private static func step(_ count: Int) -> Int { max(1, count / sample) | 1 }

    /// Remembers the error that is usual with these colors.
    mutating func measure(_ mapping: Mapping) { usualError = mapping.meanError }

    /// Whether other colors would be much better.
    func isBad(_ mapping: Mapping) -> Bool { mapping.meanError > usualError * 2 + 40 }

    /// Finds the number of each pixel that is drawn.
    ///
    /// With `keepsGood` a pixel keeps a color that is nearly as good as the best.
    mutating func map(_ frame: SixelFrame, keepsGood: Bool) -> Mapping {
        var mapping = Mapping()
        let thresholds = Self.thresholds
        colors.withUnsafeBufferPointer { colors in
            thresholds.withUnsafeBufferPointer { thresholds in
                for start in stride(from: 0, to: frame.count, by: frame.width) {
                    let row = (start / frame.width & 7) << 3
                    for x in 0..<frame.width {
                        let place = start + x
                        let pixel = frame.pixels[place]
                        if pixel == frame.before(place) {
                            frame.marks[place] = SixelPicture.blank
                            continue
                        }
                        mapping.changed += 1
                        frame.marks[place] = Self.mark(
                            pixel, frame.shown[place], thresholds[row | x & 7], keepsGood, colors,
                            lookup, &mapping)
                    }
                }
            }
        }
        return mapping
    }

    @inline(__always)
    private static func mark(
        _ pixel: UInt32, _ old: UInt8, _ threshold: UInt32, _ keepsGood: Bool,
        _ colors: UnsafeBufferPointer<UInt32>, _ lookup: PaletteLookup,
        _ mapping: inout Mapping
    ) -> UInt8 {
        guard pixel >= 0x8000_0000 else {
            if old != SixelPicture.blank { mapping.uncovers = true }
            return SixelPicture.blank
        }
        let match = lookup.match(pixel)
        let number = Int(match.share > threshold ? match.other : match.nearest)
        mapping.error += Int64(error(colors[Int(match.nearest)], pixel))
        if keepsGood, old != SixelPicture.blank {
            let best = error(colors[number], pixel)
            if error(colors[Int(old)], pixel) <= best + tolerance { return SixelPicture.blank }
        }
        mapping.drawn += 1
        return UInt8(number)
    }

    /// The perceived squared distance of two colors.
    @inline(__always)
    private static func error(_ a: UInt32, _ b: UInt32) -> Int32 {
        let red = Int32(a & 0xFF) - Int32(b & 0xFF)
        let green = Int32(a >> 8 & 0xFF) - Int32(b >> 8 & 0xFF)
        let blue = Int32(a >> 16 & 0xFF) - Int32(b >> 16 & 0xFF)
        return (red * red * 8 + green * green * 11 + blue * blue * 5) >> 3
    }

    /// Bayer's 8 by 8 pattern as shares in 256ths.
    static let thresholds: [UInt32] = (0..<64).map { place in
        let (x, y) = (place & 7, place >> 3)
        var level: UInt32 = 0
        for bit in 0..<3 {
            level |= UInt32(y >> bit & 1) << UInt32(2 * (2 - bit))
            level |= UInt32((x ^ y) >> bit & 1) << UInt32(2 * (2 - bit) + 1)
        }
        return level * 4 + 2
    }

    // Sixels say colors in percent.
    private static func rounded(_ color: UInt32) -> UInt32 {
        func part(_ shift: UInt32) -> UInt32 {
            let percent = percent(color >> shift & 0xFF)
            return ((percent * 255 + 50) / 100) << shift
        }
        return part(0) | part(8) | part(16) | 0xFF00_0000
    }

    /// A part of a color, 0 to 255, in percent.
    static func percent(_ value: UInt32) -> UInt32 { (value * 100 + 127) / 255 }
}
