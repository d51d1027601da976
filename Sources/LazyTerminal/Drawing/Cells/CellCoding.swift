/// The content of a cell for two pixels, one above the other, on a terminal of some traits.
///
/// A cell is two words. With half blocks they are the colors of its upper and lower half; with ASCII, a
/// character and its color; with mosaics see `Mosaic`. A color of 0 is the terminal's own.
struct CellCoding: Hashable, Sendable {
    let colors: ColorDepth
    let glyphs: CellGlyphs
    /// Whether escape sequences are understood at all.
    let isEscaped: Bool

    /// The pixels of a cell.
    var shape: CellShape {
        switch glyphs {
        case .blocks, .ascii: CellShape(columns: 1, rows: 2)
        case .quadrants: CellShape(columns: 2, rows: 2)
        case .sextants: CellShape(columns: 2, rows: 3)
        }
    }

    init(_ traits: TerminalTraits) {
        colors = traits.colors
        glyphs = traits.glyphs
        isEscaped = traits.movesCursor
    }

    /// The cell of two pixels as 0xFFBBGGRR, or 0 where they are transparent.
    func cell(_ upper: UInt32, _ lower: UInt32, column: Int, line: Int) -> UInt64 {
        switch glyphs {
        case .blocks:
            let above = painted(upper, column, line * 2)
            let below = painted(lower, column, line * 2 + 1)
            return UInt64(above) << 32 | UInt64(below)
        case .quadrants, .sextants: return 0
        case .ascii:
            let color = upper == 0 ? lower : lower == 0 ? upper : ColorPalette.mean(upper, lower)
            return character(color)
        }
    }

    /// Whether a word is a character, by its top byte.
    static func isCharacter(_ word: UInt32) -> Bool { word >> 24 == 0xFE }

    private func painted(_ color: UInt32, _ x: Int, _ y: Int) -> UInt32 {
        guard color != 0 else { return 0 }
        if colors == .mono { return isLit(color, x, y) ? 0xFFFF_FFFF : 0 }
        return nearest(color)
    }

    /// The color that the terminal has for a color; not without colors.
    func nearest(_ color: UInt32) -> UInt32 {
        switch colors {
        case .truecolor, .mono: color
        case .palette256: ColorPalette.nearest256(color)
        case .palette16: ColorPalette.nearest16(color)
        }
    }

    /// Whether a pixel is lit without colors; ordered dithering makes shades.
    func isLit(_ color: UInt32, _ x: Int, _ y: Int) -> Bool {
        ColorPalette.luminance(color) > Self.pattern[y & 3][x & 3] * 16 + 8
    }

    private func character(_ color: UInt32) -> UInt64 {
        let blank = UInt64(0xFE00_0020) << 32
        guard color != 0 else { return blank }
        switch colors {
        // A blank shows its background color.
        case .truecolor: return blank | UInt64(color)
        case .palette256: return blank | UInt64(ColorPalette.nearest256(color))
        case .palette16:
            let ink = ColorPalette.nearest16(ColorPalette.brightened(color))
            return shade(color) | UInt64(ink)
        case .mono: return shade(color)
        }
    }

    private func shade(_ color: UInt32) -> UInt64 {
        let place = ColorPalette.luminance(color) * (Self.ramp.count - 1) / 255
        return UInt64(0xFE00_0000 | UInt32(Self.ramp[place])) << 32
    }

    /// Whether the color of a character is that of its background.
    var isOnColor: Bool { colors == .truecolor || colors == .palette256 }

    private static let ramp = Array(" .:-=+*#%@".utf8)
    private static let pattern = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]
}
