import LazyBase
import LazyMedia
import Testing

@testable import LazyTerminal

@Suite struct TerminalTraitsTests {
    /// An environment and what is drawn in it.
    struct Case: Sendable, CustomTestStringConvertible {
        var environment: [String: String]
        var colors: ColorDepth
        var glyphs: CellGlyphs
        var testDescription: String {
            environment.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
        }

        init(_ words: String, _ colors: ColorDepth, _ glyphs: CellGlyphs = .blocks) {
            var environment: [String: String] = [:]
            for word in words.split(separator: " ") {
                let parts = word.split(separator: "=", omittingEmptySubsequences: false)
                environment[String(parts[0])] = String(parts[1])
            }
            self.environment = environment
            self.colors = colors
            self.glyphs = glyphs
        }
    }

    static let cases: [Case] = [
        Case("TERM=xterm-256color LANG=C.UTF-8", .palette256),
        Case("TERM=xterm-256color COLORTERM=truecolor LANG=en_US.utf8", .truecolor),
        Case("TERM=xterm-256color COLORTERM=24bit LC_CTYPE=de_DE.UTF-8 LANG=C", .truecolor),
        Case("TERM=xterm-kitty LANG=C.UTF-8", .truecolor),
        Case("TERM=alacritty LANG=C.UTF-8", .truecolor), Case("TERM=foot LANG=C.UTF-8", .truecolor),
        Case("TERM=wezterm LANG=C.UTF-8", .truecolor),
        Case("TERM=xterm-direct LANG=C.UTF-8", .truecolor),
        Case("TERM=xterm-256color TERM_PROGRAM=iTerm.app LANG=C.UTF-8", .truecolor),
        Case("TERM=xterm-256color TERM_PROGRAM=Apple_Terminal LANG=C.UTF-8", .palette256),
        Case("TERM=xterm LANG=C.UTF-8", .palette16), Case("TERM=screen LANG=C.UTF-8", .palette16),
        Case("TERM=tmux-256color TMUX=1 LANG=C.UTF-8", .palette256),
        Case("TERM=tmux-256color TMUX=1 COLORTERM=truecolor LANG=C.UTF-8", .truecolor),
        Case("TERM=screen.xterm-256color STY=1 COLORTERM=truecolor LANG=C.UTF-8", .palette256),
        Case("TERM=vt100 LANG=C.UTF-8", .mono), Case("TERM=xterm-mono LANG=C.UTF-8", .mono),
        Case("TERM=linux LANG=C.UTF-8", .palette16, .ascii),
        Case("TERM=linux COLORTERM=truecolor LANG=C.UTF-8", .palette16, .ascii),
        Case("TERM=xterm-256color LANG=C", .palette256, .ascii),
        Case("TERM=xterm-256color", .palette256, .ascii),
        Case("TERM=xterm-256color LC_ALL=POSIX LANG=C.UTF-8", .palette256, .ascii),
        Case("TERM=xterm-256color LC_ALL= LANG=C.UTF-8", .palette256),
        Case("TERM=xterm-256color COLORTERM=truecolor NO_COLOR=1 LANG=C.UTF-8", .mono),
        Case("TERM=xterm-256color COLORTERM=truecolor NO_COLOR= LANG=C.UTF-8", .truecolor),
        Case("TERM=dumb COLORTERM=truecolor LANG=C.UTF-8", .mono, .ascii),
        Case("LANG=C.UTF-8", .mono, .ascii),
        Case("TERM=something-new LANG=C.UTF-8", .palette256),
    ]

    @Test(arguments: cases) func `the environment determines colors and glyphs`(_ item: Case) {
        let traits = TerminalTraits { item.environment[$0] }
        #expect(traits.colors == item.colors)
        #expect(traits.glyphs == item.glyphs)
        let term = item.environment["TERM"] ?? "dumb"
        #expect(traits.movesCursor == (term != "dumb"))
    }

    @Test(arguments: [
        ("XTerm(379)" as String?, ColorDepth.palette16, false, ColorDepth.truecolor),
        ("XTerm(331)", .palette256, false, .truecolor),
        ("XTerm(330)", .palette16, false, .palette16),
        ("XTerm(379)", .mono, false, .mono), ("XTerm(379)", .palette256, true, .palette256),
        ("rxvt(379)", .palette16, false, .palette16), (nil, .palette16, false, .palette16),
    ])
    func `xterm's name tells of its colors`(
        name: String?, before: ColorDepth, isInTmux: Bool, after: ColorDepth
    ) {
        var traits = TerminalTraits(colors: before, glyphs: .blocks)
        var graphics = TerminalGraphics.none
        (graphics.name, graphics.isInTmux) = (name, isInTmux)
        traits.addColors(of: graphics)
        #expect(traits.colors == after)
    }

    @Test(arguments: [
        (0xFF00_0000 as UInt32, 16 as UInt32, 0 as UInt32), (0xFFFF_FFFF, 231, 15),
        (0xFF00_00FF, 196, 9),
        (0xFFFF_0000, 21, 4), (0xFF80_8080, 244, 8), (0xFF0A_0A0A, 232, 0), (0xFF00_CD00, 40, 2),
    ])
    func `a color becomes the nearest of a palette`(color: UInt32, of256: UInt32, of16: UInt32) {
        #expect(ColorPalette.nearest256(color) == 0xFF00_0000 | of256)
        #expect(ColorPalette.nearest16(color) == 0xFF00_0000 | of16)
    }

    private static func draw(
        _ colors: ColorDepth, _ glyphs: CellGlyphs, movesCursor: Bool = true,
        at placement: CanvasPlacement = .corner, _ pixels: [SIMD4<UInt8>]
    ) throws -> String {
        let traits = TerminalTraits(colors: colors, glyphs: glyphs, movesCursor: movesCursor)
        let grid = CellGrid(checking: 10, 4) ?? .standard
        var canvas = CellCanvas(grid, placement, traits)
        let size = PixelSize(width: pixels.count / 2, height: 2)
        let bitmap = try Bitmap(size: size, isOpaque: false) { (rows) throws(MediaError) in
            for (place, pixel) in pixels.enumerated() {
                for channel in 0..<4 { rows[place * 4 + channel] = pixel[channel] }
            }
        }
        var text = ""
        try canvas.draw(bitmap) { (bytes) throws(SystemError) in
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text.replacing("\u{1B}[", with: "^")
    }

    private static let red = SIMD4<UInt8>(255, 0, 0, 255)
    private static let blue = SIMD4<UInt8>(0, 0, 255, 255)
    private static let white = SIMD4<UInt8>(255, 255, 255, 255)
    private static let clear = SIMD4<UInt8>(0, 0, 0, 0)

    @Test func `half blocks use the colors of the palette`() throws {
        let pixels = [Self.red, Self.clear, Self.blue, Self.clear]
        #expect(
            try Self.draw(.palette256, .blocks, pixels)
                == "^?2026h^0m^2J^1;1H^38;5;196m^48;5;21m▀^49m ^0m^?2026l")
        #expect(
            try Self.draw(.palette16, .blocks, pixels)
                == "^?2026h^0m^2J^1;1H^91m^44m▀^49m ^0m^?2026l")
    }

    @Test func `without colors pixels are on or off`() throws {
        let pixels = [Self.white, Self.clear, Self.white, Self.clear, Self.white, Self.white]
        #expect(
            try Self.draw(.mono, .blocks, Array(pixels[0..<2] + pixels[1..<2] + pixels[0..<1]))
                == "^?2026h^2J^1;1H▀▄^?2026l")
        #expect(
            try Self.draw(.mono, .blocks, [Self.white, Self.clear, Self.white, Self.clear])
                == "^?2026h^2J^1;1H█ ^?2026l")
    }

    @Test func `without UTF-8 a frame is drawn with ASCII`() throws {
        let pixels = [Self.white, Self.clear, Self.white, Self.clear]
        #expect(
            try Self.draw(.truecolor, .ascii, pixels)
                == "^?2026h^0m^2J^1;1H^48;2;255;255;255m ^49m ^0m^?2026l")
        #expect(
            try Self.draw(.palette16, .ascii, pixels) == "^?2026h^0m^2J^1;1H^97m@ ^0m^?2026l")
        let text = try Self.draw(.mono, .ascii, movesCursor: false, at: .inline, pixels)
        #expect(text == "@ \n")
    }
}
