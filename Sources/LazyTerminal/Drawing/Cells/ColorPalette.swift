/// Nearest colors in the palettes of terminals.
///
/// Colors are 0xFFBBGGRR, as pixels are; results are 0xFF0000NN, NN being the number of the color.
enum ColorPalette {
    /// The number of the nearest of xterm's 240 fixed colors: a cube of 6x6x6 and 24 grays.
    static func nearest256(_ color: UInt32) -> UInt32 {
        let (red, green, blue) = parts(color)
        let cube = (step(red), step(green), step(blue))
        let cubeColor = (level(cube.0), level(cube.1), level(cube.2))
        let mean = (red + green + blue) / 3
        let gray = max(0, min(23, (mean - 3) / 10))
        let shade = 8 + gray * 10
        let isGray =
            distance((red, green, blue), (shade, shade, shade))
            < distance((red, green, blue), cubeColor)
        let number = isGray ? 232 + gray : 16 + 36 * cube.0 + 6 * cube.1 + cube.2
        return 0xFF00_0000 | UInt32(number)
    }

    /// The number of the nearest of the 16 colors, as xterm shows them.
    static func nearest16(_ color: UInt32) -> UInt32 {
        let wanted = parts(color)
        var best = (number: 0, distance: Int.max)
        for (number, color) in ansi.enumerated() {
            let distance = distance(wanted, color)
            if distance < best.distance { best = (number, distance) }
        }
        return 0xFF00_0000 | UInt32(best.number)
    }

    /// The luminance, 0 to 255.
    static func luminance(_ color: UInt32) -> Int {
        let (red, green, blue) = parts(color)
        return (54 * red + 183 * green + 19 * blue) / 256
    }

    /// The same hue at full brightness.
    static func brightened(_ color: UInt32) -> UInt32 {
        let (red, green, blue) = parts(color)
        let most = max(1, red, green, blue)
        let channels = [red, green, blue].map { UInt32($0 * 255 / most) }
        return 0xFF00_0000 | channels[2] << 16 | channels[1] << 8 | channels[0]
    }

    /// The mean of two colors.
    static func mean(_ one: UInt32, _ other: UInt32) -> UInt32 {
        let (a, b) = (parts(one), parts(other))
        let channels = [(a.0 + b.0) / 2, (a.1 + b.1) / 2, (a.2 + b.2) / 2].map { UInt32($0) }
        return 0xFF00_0000 | channels[2] << 16 | channels[1] << 8 | channels[0]
    }

    private static func parts(_ color: UInt32) -> (Int, Int, Int) {
        (Int(color & 0xFF), Int(color >> 8 & 0xFF), Int(color >> 16 & 0xFF))
    }

    private static func step(_ value: Int) -> Int {
        value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40
    }

    private static func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + step * 40 }

    // Weighted roughly as the eye does.
    private static func distance(_ one: (Int, Int, Int), _ other: (Int, Int, Int)) -> Int {
        let (red, green, blue) = (one.0 - other.0, one.1 - other.1, one.2 - other.2)
        return 3 * red * red + 6 * green * green + blue * blue
    }

    private static let ansi: [(Int, Int, Int)] = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205),
        (0, 205, 205), (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
        (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
    ]
}
