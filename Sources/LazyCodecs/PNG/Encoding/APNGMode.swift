/// How the pixels of a file are encoded: color type, bit depth, and each color's sample.
struct APNGMode: Sendable {
    /// The color types of files with more than 256 colors.
    enum TrueColor: Equatable, Sendable {
        /// Gray and alpha.
        case grayAlpha
        /// RGB with one transparent color.
        case keyedRGB
        /// RGB.
        case rgb
        /// RGB and alpha.
        case rgba
    }

    /// The samples of a pixel.
    enum Samples: Sendable {
        /// One sample, looked up by the color's number.
        case lookedUp(ColorIndex, [UInt8])
        /// Two to four samples of the color; `key` is written for transparent pixels, 0 for none.
        case direct(channels: Int, key: UInt32)
    }

    /// The transparent color in RGB, one that pictures hardly have.
    private static let rgbKey: UInt32 = 0x00_FB_02_FD

    let samples: Samples
    let color: PNGFileBytes.Color
    let depth: Int
    /// The colors of `PLTE` and `tRNS` in order; empty for other types.
    var palette: [UInt32] = []
    /// The transparent samples of `tRNS`; empty for none.
    var transparentSample: [UInt16] = []
    /// Whether unchanged pixels can be transparent.
    let canLeave: Bool
    /// Whether filters may help.
    let mayFilter: Bool

    /// The bytes of a pixel before packing bits.
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

    /// The modes for at most 256 colors, the likeliest first.
    ///
    /// The transparent color 0 gets a number where one is left, for unchanged pixels.
    static func indexed(_ index: ColorIndex) -> [APNGMode] {
        let own = index.colors
        let isClear = own.contains(0)
        let hasKey = isClear || index.insert(0)
        var modes = palettes(index, hasKey ? index.colors : own, canLeave: hasKey)
        if !isClear, depth(own.count) < depth(own.count + 1) {
            modes += palettes(index, own, canLeave: false)
        }
        if let gray = gray(index, own.filter { $0 != 0 }, isClear: isClear) { modes.append(gray) }
        // In gradients, differences may have fewer values than the colors.
        let isBinary = own.allSatisfy { $0 == 0 || $0 >> 24 == 255 }
        modes.append(APNGMode(isBinary ? .keyedRGB : .rgba))
        return modes
    }

    private static func depth(_ count: Int) -> Int {
        count > 16 ? 8 : count > 4 ? 4 : count > 2 ? 2 : 1
    }

    /// A palette in the lowest depth, and in bytes: packed bits hide repetitions.
    private static func palettes(
        _ index: ColorIndex, _ colors: [UInt32], canLeave: Bool
    ) -> [APNGMode] {
        // Colors that are not opaque come first, so tRNS is short.
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

    /// Shades of gray without a palette, so filters work.
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
