internal import CScanline
internal import LazyMedia

/// How the pixels of a file are said: its color type, its depth, and what stands for each color.
struct APNGMode: Sendable {
    /// What is known of the colors of a file that has more than 256.
    enum TrueColor: Equatable, Sendable {
        /// Gray and alpha.
        case grayAlpha
        /// RGB, one color of which stands for what is transparent.
        case keyedRGB
        /// RGB.
        case rgb
        /// RGB and alpha.
        case rgba
    }

    /// The samples of a pixel.
    enum Samples: Sendable {
        /// One, looked up in a table by the number of the color.
        case lookedUp(ColorIndex, [UInt8])
        /// Two to four, the color itself; the key is what is written for nought, or nought.
        case direct(channels: Int, key: UInt32)
    }

    /// The color that stands for transparency in RGB: hardly one that a picture has.
    private static let rgbKey: UInt32 = 0x00_FB_02_FD

    let samples: Samples
    let color: PNGFileBytes.Color
    let depth: Int
    /// The colors of `PLTE` and `tRNS`, in their order; empty for other types.
    var palette: [UInt32] = []
    /// The samples that `tRNS` says are transparent; empty for none.
    var transparentSample: [UInt16] = []
    /// Whether pixels that stay can be left out.
    let canLeave: Bool
    /// Whether differences of neighbours may be smaller than they are.
    let mayFilter: Bool

    /// Bytes of a pixel before bits are packed.
    var channels: Int {
        if case .direct(let channels, _) = samples { return channels }
        return 1
    }

    /// True color.
    init(_ kind: TrueColor) {
        switch kind {
        case .grayAlpha:
            (samples, color) = (.direct(channels: 2, key: 0), .grayAlpha)
        case .keyedRGB:
            (samples, color) = (.direct(channels: 3, key: Self.rgbKey), .rgb)
            transparentSample = (0..<3).map { UInt16(Self.rgbKey >> (8 * $0) & 255) }
        case .rgb: (samples, color) = (.direct(channels: 3, key: 0), .rgb)
        case .rgba: (samples, color) = (.direct(channels: 4, key: 0), .rgba)
        }
        depth = 8
        canLeave = kind != .rgb
        mayFilter = true
    }

    private init(
        _ index: ColorIndex, _ map: [UInt8], _ color: PNGFileBytes.Color, depth: Int,
        canLeave: Bool
    ) {
        samples = .lookedUp(index, map)
        self.color = color
        self.depth = depth
        self.canLeave = canLeave
        mayFilter = depth == 8
    }

    /// The ways to say pixels of at most 256 colors, the likeliest first.
    ///
    /// Nought gets a number where there is one left, to stand for the pixels that stay.
    static func indexed(_ index: ColorIndex) -> [APNGMode] {
        let own = index.colors
        let isClear = own.contains(0)
        let hasKey = isClear || index.insert(0)
        var modes = palettes(index, hasKey ? index.colors : own, canLeave: hasKey)
        if !isClear, depth(own.count) < depth(own.count + 1) {
            modes += palettes(index, own, canLeave: false)
        }
        if let gray = gray(index, own.filter { $0 != 0 }, isClear: isClear) { modes.append(gray) }
        // Where colors flow, their differences may be fewer than the colors.
        let isBinary = own.allSatisfy { $0 == 0 || $0 >> 24 == 255 }
        modes.append(APNGMode(isBinary ? .keyedRGB : .rgba))
        return modes
    }

    private static func depth(_ count: Int) -> Int {
        count > 16 ? 8 : count > 4 ? 4 : count > 2 ? 2 : 1
    }

    /// A palette in the least depth, and in bytes: packed bits hide what repeats itself.
    private static func palettes(
        _ index: ColorIndex, _ colors: [UInt32], canLeave: Bool
    ) -> [APNGMode] {
        // What is not opaque comes first: tRNS ends with the last of it.
        let order = colors.indices.sorted { a, b in
            let (first, second) = (colors[a] >> 24 == 255, colors[b] >> 24 == 255)
            return first == second ? a < b : second
        }
        var map = [UInt8](repeating: 0, count: 256)
        for (place, number) in order.enumerated() { map[number] = UInt8(place) }
        let least = depth(colors.count)
        return (least < 8 ? [least, 8] : [8]).map { depth in
            var mode = APNGMode(index, map, .palette, depth: depth, canLeave: canLeave)
            mode.palette = order.map { colors[$0] }
            return mode
        }
    }

    /// Shades of gray without a palette, whose neighbours can be told by differences.
    private static func gray(_ index: ColorIndex, _ colors: [UInt32], isClear: Bool) -> APNGMode? {
        guard colors.allSatisfy({ $0 >> 24 == 255 && ($0 ^ $0 >> 8) & 0xFFFF == 0 }) else {
            return nil
        }
        let levels = Set(colors.map { UInt8(truncatingIfNeeded: $0) })
        let key = (UInt8(0)...255).first { !levels.contains($0) }
        if isClear, key == nil { return nil }
        var map = [UInt8](repeating: key ?? 0, count: 256)
        for (number, color) in index.colors.enumerated() where color != 0 {
            map[number] = UInt8(truncatingIfNeeded: color)
        }
        let hasKey = key != nil && (isClear || index.colors.contains(0))
        var mode = APNGMode(index, map, .gray, depth: 8, canLeave: hasKey)
        if hasKey, let key { mode.transparentSample = [UInt16(key)] }
        return mode
    }
}
