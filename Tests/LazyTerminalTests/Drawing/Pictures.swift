import LazyBase
import LazyMedia

@testable import LazyTerminal

/// Pictures for tests of canvases.
enum Pictures {
    /// Makes a picture of a color for each place.
    static func bitmap(
        _ width: Int, _ height: Int, _ color: (Int, Int) -> SIMD4<UInt8>
    ) throws -> Bitmap {
        try Bitmap(size: PixelSize(width: width, height: height), isOpaque: false) {
            (rows) throws(MediaError) in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = color(x, y)
                    for channel in 0..<4 { rows[(y * width + x) * 4 + channel] = pixel[channel] }
                }
            }
        }
    }

    /// A picture with soft colors everywhere, and a square of another color at a place.
    static func scene(_ width: Int, _ height: Int, square: Int) throws -> Bitmap {
        try bitmap(width, height) { x, y in
            let isSquare = (square..<square + 8).contains(x) && (square..<square + 8).contains(y)
            if isSquare { return SIMD4(250, 20, 30, 255) }
            return SIMD4(UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) % 256), 255)
        }
    }

    /// The bytes that a canvas draws.
    static func draw(_ canvas: inout some FrameDrawing, _ bitmap: Bitmap) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try canvas.draw(bitmap) { (content) throws(SystemError) in bytes += content }
        return bytes
    }

    /// The traits of a terminal with some graphics.
    static func traits(_ change: (inout TerminalGraphics) -> Void) -> TerminalTraits {
        var traits = TerminalTraits.full
        traits.graphics.cell = PixelSize(width: 10, height: 20)
        change(&traits.graphics)
        return traits
    }
}

extension [UInt8] {
    /// The text, with `^` for escapes.
    var escapes: String { String(decoding: self, as: UTF8.self).replacing("\u{1B}", with: "^") }
}
