internal import LazyMedia

/// Cells of four or six pixels in two colors, drawn by quadrants or sextants.
///
/// The first word of such a cell has the pixels in the first color in its upper six bits, in the order of
/// reading from the lowest bit on; both words have a color and bit 24, or 0 for the terminal's own.
struct Mosaic {
    private let coding: CellCoding
    private let shape: CellShape

    init(_ coding: CellCoding) {
        self.coding = coding
        shape = coding.shape
    }

    private static let isColor: UInt32 = 1 << 24
    /// Colors that differ less than this in each channel are one color.
    private static let least: UInt32 = 12

    /// The color of a word as `CellWriter` takes it: opaque, or 0.
    static func color(_ word: UInt32) -> UInt32 {
        word & isColor == 0 ? 0 : word & 0xFF_FFFF | 0xFF00_0000
    }

    /// The pixels of a word that have the first color.
    static func pattern(_ word: UInt32) -> Int { Int(word >> 26) }

    /// The cell in a column and a line of a picture.
    func cell(
        _ words: UnsafePointer<UInt32>, _ size: PixelSize, column: Int, line: Int
    ) -> UInt64 {
        var pixels = SIMD8<UInt32>.zero
        var seen = 0
        var place = 0
        for y in line * shape.rows..<(line + 1) * shape.rows {
            for x in column * shape.columns..<(column + 1) * shape.columns {
                if x < size.width, y < size.height {
                    let pixel = words[y * size.width + x]
                    if pixel >> 24 >= 128 {
                        pixels[place] = pixel | 0xFF00_0000
                        seen |= 1 << place
                    }
                }
                place += 1
            }
        }
        if coding.colors == .mono { return unlit(pixels, seen, column, line) }
        // Where the background is seen, it is the second color.
        if seen != 1 << place - 1 { return word(seen, pixels, paper: 0) }
        let pattern = split(pixels, place)
        return word(pattern, pixels, paper: ~pattern & seen)
    }

    // The pixels that are above the middle of the channel in which they differ most.
    private func split(_ pixels: SIMD8<UInt32>, _ count: Int) -> Int {
        var best = (spread: Self.least - 1, middle: UInt32(0), shift: UInt32(0))
        for shift: UInt32 in [0, 8, 16] {
            var (low, high) = (UInt32(255), UInt32(0))
            for place in 0..<count {
                let value = pixels[place] >> shift & 0xFF
                low = min(low, value)
                high = max(high, value)
            }
            if high - low > best.spread { best = (high - low, (low + high) / 2, shift) }
        }
        guard best.spread >= Self.least else { return 0 }
        var pattern = 0
        for place in 0..<count where pixels[place] >> best.shift & 0xFF > best.middle {
            pattern |= 1 << place
        }
        return pattern
    }

    private func word(_ pattern: Int, _ pixels: SIMD8<UInt32>, paper: Int) -> UInt64 {
        let ink = UInt32(pattern) << 26 | color(of: pixels, pattern)
        return UInt64(ink) << 32 | UInt64(color(of: pixels, paper))
    }

    // The mean of some pixels as the terminal shows it.
    private func color(of pixels: SIMD8<UInt32>, _ pattern: Int) -> UInt32 {
        var (red, green, blue, count) = (UInt32(0), UInt32(0), UInt32(0), UInt32(0))
        for place in 0..<6 where pattern >> place & 1 == 1 {
            let pixel = pixels[place]
            red += pixel & 0xFF
            green += pixel >> 8 & 0xFF
            blue += pixel >> 16 & 0xFF
            count += 1
        }
        guard count > 0 else { return 0 }
        let mean =
            (red / count) | (green / count) << 8 | (blue / count) << 16 | 0xFF00_0000
        return coding.nearest(mean) & 0xFF_FFFF | Self.isColor
    }

    private func unlit(
        _ pixels: SIMD8<UInt32>, _ seen: Int, _ column: Int, _ line: Int
    ) -> UInt64 {
        var pattern = 0
        for place in 0..<shape.columns * shape.rows where seen >> place & 1 == 1 {
            let x = column * shape.columns + place % shape.columns
            let y = line * shape.rows + place / shape.columns
            if coding.isLit(pixels[place], x, y) { pattern |= 1 << place }
        }
        return UInt64(UInt32(pattern) << 26) << 32
    }

    /// The characters of all patterns, in UTF-8.
    var characters: [StaticString] {
        coding.glyphs == .quadrants ? Self.quadrants : Self.sextants
    }

    private static let quadrants: [StaticString] = [
        " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
    ]
    private static let sextants: [StaticString] = [
        " ", "🬀", "🬁", "🬂", "🬃", "🬄", "🬅", "🬆", "🬇", "🬈", "🬉", "🬊", "🬋", "🬌", "🬍", "🬎",
        "🬏", "🬐", "🬑", "🬒", "🬓", "▌", "🬔", "🬕", "🬖", "🬗", "🬘", "🬙", "🬚", "🬛", "🬜", "🬝",
        "🬞", "🬟", "🬠", "🬡", "🬢", "🬣", "🬤", "🬥", "🬦", "🬧", "▐", "🬨", "🬩", "🬪", "🬫", "🬬",
        "🬭", "🬮", "🬯", "🬰", "🬱", "🬲", "🬳", "🬴", "🬵", "🬶", "🬷", "🬸", "🬹", "🬺", "🬻", "█",
    ]
}
