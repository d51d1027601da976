import Foundation
import LazyBase
import LazyMedia
import Testing

@testable import LazyTerminal

@Suite struct SixelTests {
    private static let grid = CellGrid(checking: 20, 11) ?? .standard

    /// A screen of sixels: draws as a terminal does.
    struct Screen {
        var pixels: [UInt32]
        let width: Int
        /// The number of pixels that the last picture has drawn.
        var drawn = 0

        init(_ width: Int, _ height: Int) {
            self.width = width
            pixels = [UInt32](repeating: 0, count: width * height)
        }

        /// Draws the one picture in some bytes.
        mutating func draw(_ bytes: [UInt8]) throws {
            let text = bytes.escapes
            let start = try #require(text.range(of: "^P0;1q"))
            let end = try #require(text.range(of: "^\\", range: start.upperBound..<text.endIndex))
            var rest = Array(text[start.upperBound..<end.lowerBound].utf8)[...]
            if text.contains("^[2J") { pixels = pixels.map { _ in 0 } }
            var colors: [Int: UInt32] = [:]
            var (x, band, color, count) = (0, 0, UInt32(0), 1)
            drawn = 0
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): #expect(Self.numbers(&rest)[..<2] == [1, 1])
                case UInt8(ascii: "#"):
                    let numbers = Self.numbers(&rest)
                    if numbers.count == 5 {
                        let parts = numbers[2...].map { UInt32(($0 * 255 + 50) / 100) }
                        colors[numbers[0]] = parts[0] | parts[1] << 8 | parts[2] << 16 | 0xFF00_0000
                    } else {
                        color = try #require(colors[numbers[0]])
                    }
                case UInt8(ascii: "!"): count = Self.numbers(&rest)[0]
                case UInt8(ascii: "$"): x = 0
                case UInt8(ascii: "-"): (x, band) = (0, band + 1)
                default:
                    #expect((63...126).contains(byte))
                    for _ in 0..<count {
                        for row in 0..<6 where (byte - 63) >> UInt8(row) & 1 == 1 {
                            pixels[(band * 6 + row) * width + x] = color
                            drawn += 1
                        }
                        x += 1
                    }
                    count = 1
                }
            }
        }

        private static func numbers(_ rest: inout ArraySlice<UInt8>) -> [Int] {
            var numbers = [0]
            while let byte = rest.first, byte == UInt8(ascii: ";") || (48...57).contains(byte) {
                rest.removeFirst()
                if byte == UInt8(ascii: ";") {
                    numbers.append(0)
                } else {
                    numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte) - 48
                }
            }
            return numbers
        }

        /// The mean difference of a channel to a picture.
        func difference(_ bitmap: Bitmap) -> Double {
            var sum = 0
            for place in pixels.indices {
                let pixel = bitmap[place % width, place / width]
                for channel in 0..<3 {
                    sum += abs(
                        Int(pixel[channel]) - Int(pixels[place] >> UInt32(channel * 8) & 255))
                }
            }
            return Double(sum) / Double(pixels.count * 3)
        }
    }

    private static func canvas(colors: Int = 256) -> SixelCanvas {
        SixelCanvas(grid, .corner, Pictures.traits { $0.sixelColors = colors })
    }

    @Test(arguments: [(256, 6.0), (16, 40.0), (2, 90.0)])
    func `a picture comes out in its colors`(colors: Int, most: Double) throws {
        var canvas = Self.canvas(colors: colors)
        var screen = Screen(90, 61)
        let scene = try Pictures.scene(90, 61, square: 30)
        try screen.draw(Pictures.draw(&canvas, scene))
        #expect(screen.drawn == 90 * 61)
        #expect(screen.difference(scene) < most)
        #expect(Set(screen.pixels).count <= colors)
    }

    @Test func `few colors come out exactly, but for the rounding to percent`() throws {
        var canvas = Self.canvas()
        var screen = Screen(12, 12)
        let flag = try Pictures.bitmap(12, 12) { x, _ in
            x < 6 ? SIMD4(0, 255, 51, 255) : SIMD4(102, 0, 255, 255)
        }
        try screen.draw(Pictures.draw(&canvas, flag))
        #expect(screen.difference(flag) == 0)
    }

    @Test func `later frames draw only what changes, and still parts keep their dither`() throws {
        var canvas = Self.canvas(colors: 64)
        var screen = Screen(120, 60)
        try screen.draw(Pictures.draw(&canvas, Pictures.scene(120, 60, square: 0)))
        for step in 1..<40 {
            let (before, was) = (screen.pixels, try Pictures.scene(120, 60, square: step - 1))
            let scene = try Pictures.scene(120, 60, square: step)
            try screen.draw(Pictures.draw(&canvas, scene))
            #expect(screen.drawn <= 32)
            for place in before.indices
            where was[place % 120, place / 120] == scene[place % 120, place / 120] {
                #expect(screen.pixels[place] == before[place])
            }
            #expect(screen.difference(scene) < 12)
        }
    }

    @Test func `another scene gets other colors, around a part that stays`() throws {
        var canvas = Self.canvas(colors: 128)
        var screen = Screen(100, 60)
        func scene(_ color: (Int) -> SIMD4<UInt8>) throws -> Bitmap {
            try Pictures.bitmap(100, 60) { x, y in
                y < 20 ? SIMD4(UInt8(x * 2), UInt8(x * 2), UInt8(x * 2), 255) : color(x)
            }
        }
        let (first, second) = (
            try scene { SIMD4(UInt8($0), 0, 0, 255) },
            try scene { SIMD4(0, UInt8(200 - $0), 90, 255) }
        )
        try screen.draw(Pictures.draw(&canvas, first))
        let top = screen.pixels[..<2000]
        try screen.draw(Pictures.draw(&canvas, second))
        #expect(screen.pixels[..<2000] == top)
        #expect(screen.difference(second) < 6)
    }

    @Test func `a frame without changes writes nothing`() throws {
        var canvas = Self.canvas()
        let scene = try Pictures.scene(60, 60, square: 10)
        _ = try Pictures.draw(&canvas, scene)
        #expect(try Pictures.draw(&canvas, scene).isEmpty)
    }

    @Test func `transparent pixels are not drawn, and a new hole clears the screen`() throws {
        var canvas = Self.canvas()
        var screen = Screen(30, 30)
        let whole = try Pictures.bitmap(30, 30) { _, _ in SIMD4(255, 0, 0, 255) }
        let hole = try Pictures.bitmap(30, 30) { x, _ in x < 10 ? .zero : SIMD4(255, 0, 0, 255) }
        try screen.draw(Pictures.draw(&canvas, whole))
        let bytes = try Pictures.draw(&canvas, hole)
        #expect(bytes.escapes.contains("^[2J"))
        try screen.draw(bytes)
        #expect(screen.pixels[9] == 0)
        #expect(screen.pixels[10] == 0xFF00_00FF)
    }

    @Test func `the last line stays free, as a terminal scrolls when a picture reaches it`() {
        let size = Self.canvas().pixelSize(of: PixelSize(width: 10, height: 100), hasPalette: true)
        #expect(size.height == 200)
    }
}
