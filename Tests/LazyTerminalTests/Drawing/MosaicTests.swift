import LazyMedia
import Testing

@testable import LazyTerminal

@Suite struct MosaicTests {
    private static let grid = CellGrid(checking: 10, 4) ?? .standard
    private static let red = SIMD4<UInt8>(255, 0, 0, 255)
    private static let blue = SIMD4<UInt8>(0, 0, 255, 255)

    /// One cell, by the pixels of which `1` is red, `0` blue and `-` transparent.
    private func cell(_ glyphs: CellGlyphs, _ pixels: String, _ colors: ColorDepth = .truecolor)
        throws -> String
    {
        let traits = TerminalTraits(colors: colors, glyphs: glyphs)
        var canvas = CellCanvas(Self.grid, .corner, traits)
        let signs = Array(pixels)
        let bitmap = try Pictures.bitmap(2, signs.count / 2) { x, y in
            switch signs[y * 2 + x] {
            case "1": Self.red
            case "0": Self.blue
            default: .zero
            }
        }
        return try Pictures.draw(&canvas, bitmap).escapes
    }

    @Test(arguments: [
        ("1000", "▘"), ("0100", "▝"), ("0010", "▖"), ("0001", "▗"), ("1100", "▀"), ("1010", "▌"),
        ("0110", "▞"), ("1001", "▚"), ("1110", "▛"), ("1101", "▜"), ("1011", "▙"), ("0111", "▟"),
    ])
    func `a quadrant has two colors`(pixels: String, glyph: String) throws {
        let text = try cell(.quadrants, pixels)
        // The channel that differs first is red: the first color is that of the ones.
        #expect(text.hasSuffix("^[38;2;255;0;0m^[48;2;0;0;255m\(glyph)^[0m^[?2026l"))
    }

    @Test(arguments: [
        ("100000", "🬀"), ("000001", "🬞"), ("101010", "▌"), ("010101", "▐"), ("111000", "🬆"),
        ("110011", "🬰"), ("011111", "🬻"),
    ])
    func `a sextant has two colors`(pixels: String, glyph: String) throws {
        #expect(try cell(.sextants, pixels).contains("m\(glyph)^[0m"))
    }

    @Test func `the background is seen through transparent pixels`() throws {
        #expect(try cell(.quadrants, "1--1").contains("^[38;2;255;0;0m^[49m▚^[0m"))
        #expect(try cell(.quadrants, "----").contains("^[49m ^[0m"))
    }

    @Test func `a plain cell is a blank on its color`() throws {
        #expect(try cell(.sextants, "111111").contains("H^[48;2;255;0;0m ^[0m"))
        #expect(try cell(.sextants, "111111", .palette256).contains("H^[48;5;196m ^[0m"))
        #expect(try cell(.quadrants, "1010", .palette16).contains("m▌"))
    }

    @Test func `without colors pixels are lit or not`() throws {
        let traits = TerminalTraits(colors: .mono, glyphs: .quadrants)
        var canvas = CellCanvas(Self.grid, .corner, traits)
        let white = try Pictures.bitmap(2, 2) { x, _ in
            x == 0 ? SIMD4(255, 255, 255, 255) : SIMD4(0, 0, 0, 255)
        }
        let text = try Pictures.draw(&canvas, white).escapes
        #expect(text.contains("▌"))
        #expect(!text.contains("m"))
    }

    @Test(arguments: [
        (CellGlyphs.quadrants, PixelSize(width: 20, height: 5)),
        (.sextants, PixelSize(width: 20, height: 7)), (.blocks, PixelSize(width: 10, height: 5)),
    ])
    func `the shape of a picture stays in all glyphs`(glyphs: CellGlyphs, size: PixelSize) {
        let canvas = CellCanvas(Self.grid, .corner, .full.drawing(glyphs))
        #expect(canvas.pixelSize(of: PixelSize(width: 100, height: 50)) == size)
    }
}
