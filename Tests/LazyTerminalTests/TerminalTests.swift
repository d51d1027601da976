import LazyBase
import LazyMedia
import Testing

@testable import LazyTerminal

@Suite struct CellCanvasTests {
    private static let grid = CellGrid(checking: 10, 4) ?? .standard
    private static let red = SIMD4<UInt8>(255, 0, 0, 255)
    private static let blue = SIMD4<UInt8>(0, 0, 255, 255)
    private static let clear = SIMD4<UInt8>(9, 9, 9, 127)

    private static func bitmap(_ width: Int, _ pixels: [SIMD4<UInt8>]) throws -> Bitmap {
        let size = PixelSize(width: width, height: pixels.count / width)
        return try Bitmap(size: size, isOpaque: false) { (rows) throws(MediaError) in
            for (place, pixel) in pixels.enumerated() {
                for channel in 0..<4 { rows[place * 4 + channel] = pixel[channel] }
            }
        }
    }

    private static func draw(_ canvas: inout CellCanvas, _ bitmap: Bitmap) throws -> String {
        var text = ""
        try canvas.draw(bitmap) { (bytes) throws(SystemError) in
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text.replacing("\u{1B}[", with: "^")
    }

    @Test func `a first frame is one synchronized update`() throws {
        var canvas = CellCanvas(Self.grid, .corner)
        let text = try Self.draw(
            &canvas, Self.bitmap(2, [Self.red, Self.red, Self.blue, Self.red]))
        #expect(text == "^?2026h^0m^2J^1;1H^38;2;255;0;0m^48;2;0;0;255m▀^48;2;255;0;0m ^0m^?2026l")
    }

    @Test func `only cells that change are written`() throws {
        var canvas = CellCanvas(Self.grid, .corner)
        let row = [SIMD4<UInt8>](repeating: Self.red, count: 5)
        _ = try Self.draw(&canvas, Self.bitmap(5, row + row))
        #expect(try Self.draw(&canvas, Self.bitmap(5, row + row)) == "^?2026h^0m^?2026l")
        var changed = row
        changed[1] = Self.blue
        changed[4] = Self.blue
        #expect(
            try Self.draw(&canvas, Self.bitmap(5, changed + changed))
                == "^?2026h^1;2H^48;2;0;0;255m ^2C ^0m^?2026l")
        canvas.invalidate()
        #expect(try Self.draw(&canvas, Self.bitmap(5, row + row)).contains("^2J^1;1H"))
    }

    @Test func `transparent pixels show the terminal's background`() throws {
        var canvas = CellCanvas(Self.grid, .corner)
        let upper = [Self.clear, Self.red, Self.clear]
        let lower = [Self.clear, Self.clear, Self.blue]
        #expect(
            try Self.draw(&canvas, Self.bitmap(3, upper + lower))
                == "^?2026h^0m^2J^1;1H^49m ^38;2;255;0;0m▀^38;2;0;0;255m▄^0m^?2026l")
    }

    @Test func `an odd last row has the terminal's background`() throws {
        var canvas = CellCanvas(Self.grid, .center)
        #expect(
            try Self.draw(&canvas, Self.bitmap(2, [Self.red, Self.red]))
                == "^?2026h^0m^2J^2;5H^38;2;255;0;0m^49m▀▀^0m^?2026l")
        #expect(canvas.moveBelow == "\u{1B}[3;1H")
    }

    @Test func `a still is printed as lines of text`() throws {
        var canvas = CellCanvas(Self.grid, .inline)
        let text = try Self.draw(&canvas, Self.bitmap(1, [Self.red, Self.red, Self.blue]))
        #expect(
            text == "^?2026h^48;2;255;0;0m ^0m\n^38;2;0;0;255m^49m▀^0m\n^0m^?2026l")
        #expect(canvas.moveBelow == "")
    }

    @Test(arguments: [
        (PixelSize(width: 100, height: 50), PixelSize(width: 10, height: 5)),
        (PixelSize(width: 50, height: 100), PixelSize(width: 4, height: 8)),
        (PixelSize(width: 1, height: 1000), PixelSize(width: 1, height: 8)),
        (PixelSize(width: 2, height: 2), PixelSize(width: 8, height: 8)),
    ]) func `an image fits the grid with two pixels per line`(media: PixelSize, pixels: PixelSize) {
        #expect(CellCanvas(Self.grid, .corner).pixelSize(of: media) == pixels)
    }
}

@Suite struct PlaybackClockTests {
    private func milliseconds(_ count: Int) -> Duration { .milliseconds(count) }

    @Test func `the first frame is drawn at once and begins the clock`() {
        var clock = PlaybackClock()
        #expect(clock.decide(at: .seconds(5), start: .zero, length: .seconds(1)) == .draw)
        #expect(
            clock.decide(at: .seconds(5), start: .seconds(1), length: .seconds(1))
                == .wait(.seconds(1)))
        #expect(clock.decide(at: .seconds(6), start: .seconds(1), length: .seconds(1)) == .draw)
    }

    @Test func `a late frame is dropped, but not for long`() {
        var clock = PlaybackClock()
        let length = milliseconds(40)
        #expect(clock.decide(at: .zero, start: .zero, length: length) == .draw)
        #expect(
            clock.decide(at: milliseconds(79), start: milliseconds(40), length: length) == .draw)
        #expect(
            clock.decide(at: milliseconds(200), start: milliseconds(80), length: length) == .drop)
        #expect(
            clock.decide(at: milliseconds(400), start: milliseconds(120), length: length) == .draw)
    }

    @Test func `time stops while paused`() {
        var clock = PlaybackClock()
        _ = clock.decide(at: .zero, start: .zero, length: .seconds(1))
        clock.togglePause(at: milliseconds(500))
        #expect(clock.isPaused)
        clock.togglePause(at: milliseconds(2500))
        #expect(!clock.isPaused)
        #expect(
            clock.decide(at: milliseconds(2500), start: .seconds(1), length: .seconds(1))
                == .wait(milliseconds(500)))
    }

    @Test(arguments: [(2.0, 500), (0.5, 2000)]) func `a clock begins with its speed`(
        speed: Double, wait: Int
    ) {
        var clock = PlaybackClock(speed: speed)
        #expect(clock.decide(at: .seconds(5), start: .zero, length: .seconds(1)) == .draw)
        #expect(
            clock.decide(at: .seconds(5), start: .seconds(1), length: .seconds(1))
                == .wait(milliseconds(wait)))
    }

    @Test(arguments: [(2.0, 500), (0.5, 2000), (1.0, 1000)])
    func `another speed changes the waits from the current position on`(
        speed: Double, wait: Int
    ) {
        var clock = PlaybackClock()
        _ = clock.decide(at: .zero, start: .zero, length: .seconds(10))
        clock.setSpeed(speed, at: .seconds(3))
        #expect(
            clock.decide(at: .seconds(3), start: .seconds(4), length: .seconds(1))
                == .wait(.milliseconds(wait)))
        #expect(clock.position(at: .seconds(5)) == .seconds(3) + .seconds(2) * speed)
        clock.setSpeed(1, at: .seconds(5))
        #expect(clock.position(at: .seconds(6)) == .seconds(4) + .seconds(2) * speed)
    }

    @Test func `a speed that changes while paused holds the position`() {
        var clock = PlaybackClock()
        _ = clock.decide(at: .zero, start: .zero, length: .seconds(1))
        clock.togglePause(at: .seconds(2))
        clock.setSpeed(4, at: .seconds(9))
        #expect(clock.position(at: .seconds(20)) == .seconds(2))
        clock.togglePause(at: .seconds(30))
        #expect(clock.position(at: .seconds(31)) == .seconds(6))
    }

    @Test func `a step makes its frame the current one`() {
        var clock = PlaybackClock()
        _ = clock.decide(at: .zero, start: .zero, length: .seconds(1))
        clock.togglePause(at: .zero)
        clock.step(to: .seconds(9), at: .seconds(2))
        #expect(clock.isPaused)
        clock.togglePause(at: .seconds(3))
        #expect(clock.decide(at: .seconds(3), start: .seconds(9), length: .seconds(1)) == .draw)
    }
}
