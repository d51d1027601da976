import LazyBase
import LazyMedia
import Testing

@testable import LazyTerminal

@Suite struct StatusLineTests {
    private static func line(_ change: (inout StatusLine) -> Void) -> StatusLine {
        var line = StatusLine()
        line.protocolName = "sixel"
        change(&line)
        return line
    }

    @Test func `the line tells the position, and what keys have changed`() {
        let plain = Self.line { $0.length = .seconds(83) }
        #expect(plain.text(columns: 50).hasPrefix(" 0:00.0 / 1:23.0  frame 0  sixel "))
        let full = Self.line { line in
            line.position = .milliseconds(3_723_450)
            line.frame = 12
            line.isPaused = true
            line.speed = 1.25
            line.loopsForever = true
            line.dropped = 3
            line.title = "clip.mp4"
            line.place = (2, 5)
        }
        #expect(
            full.text(columns: 90).hasPrefix(
                " paused 1:02:03.4  frame 12  1.25x  loop  3 dropped  sixel  2 of 5  clip.mp4 "))
    }

    @Test(arguments: [1, 5, 20, 80]) func `the last column stays free`(columns: Int) {
        let line = Self.line { $0.title = "a name that is much longer than the line is wide" }
        #expect(line.text(columns: columns).count == columns - 1)
    }

    @Test func `without colors the line has no attributes`() throws {
        let grid = try #require(CellGrid(checking: 20, 10))
        var display = StatusDisplay()
        display.isOn = true
        let bytes = display.update(Self.line { _ in }, grid, at: .zero, isPlain: true)
        #expect(bytes == "\u{1B}[10;1H 0:00.0  frame 0  s")
    }

    @Test func `a message stands instead of the title for a while`() throws {
        let grid = try #require(CellGrid(checking: 60, 10))
        var display = StatusDisplay()
        display.isOn = true
        let line = Self.line { $0.title = "clip.mp4" }
        #expect(display.update(line, grid, at: .zero)?.contains("clip.mp4") == true)
        #expect(display.update(line, grid, at: .zero) == nil)
        display.show("saved a.png", at: .seconds(1))
        #expect(display.update(line, grid, at: .seconds(1))?.contains("saved a.png") == true)
        #expect(display.rest(at: .seconds(2)) == .seconds(2))
        #expect(display.update(line, grid, at: .seconds(4))?.contains("clip.mp4") == true)
        #expect(display.rest(at: .seconds(5)) == nil)
    }
}

@Suite struct PosterGridTests {
    private static func grid(_ columns: Int, shape: (Int, Int?)?, ascii: Bool = false) -> PosterGrid
    {
        var settings = PlayerSettings(
            encoders: EncoderRegistry(), grid: CellGrid(checking: columns, 24),
            traits: TerminalTraits(colors: .truecolor, glyphs: ascii ? .ascii : .blocks))
        settings.terminalProtocol = .blocks
        return PosterGrid(settings, shape: shape.map { (columns: $0.0, rows: $0.1) })
    }

    @Test(arguments: [(80, 3), (21, 1), (120, 5)])
    func `as many posters are beside each other as fit`(columns: Int, count: Int) {
        #expect(Self.grid(columns, shape: nil).columnCount == count)
    }

    @Test func `names stand under their pictures and are cut in the middle`() {
        let grid = Self.grid(40, shape: (2, 2))
        #expect(grid.names(["a.gif", "b.gif"]) == "a.gif               b.gif")
        #expect(grid.names(["a film with a long name 007.mp4"]) == "a film with \u{2026}07.mp4")
        #expect(grid.names(["a\u{1B}[2J\u{202E}.gif"]) == "a?[2J?.gif")
        #expect(grid.names(["a\u{2028}\u{200F}\u{AD}.gif"]) == "a???.gif")
        // A byte that is not UTF-8.
        #expect(grid.names(["caf\u{10F7E9}.gif"]) == "caf?.gif")
        #expect(Self.grid(40, shape: (2, 2), ascii: true).names(["\u{E9}.gif"]) == "?.gif")
        // Characters of East Asia have two columns.
        #expect(grid.names(["\u{732B}\u{732B}", "b"]) == "\u{732B}\u{732B}                b")
    }

    @Test func `a poster keeps its shape in its place`() {
        let grid = Self.grid(80, shape: (4, 2))
        #expect(
            grid.posterSize(of: PixelSize(width: 100, height: 50))
                == PixelSize(width: 19, height: 10))
        #expect(grid.posterSize(of: PixelSize(width: 10, height: 1000)).height == 22)
    }
}

@Suite struct FrameSourceTests {
    // Each thread of FFmpeg's keeps pictures: 3 MB for H.264 of 1280x720.
    @Test(arguments: [
        (64, 64, 16, 2), (1280, 720, 16, 4), (1280, 720, 2, 2), (1920, 1080, 16, 9),
        (3840, 2160, 16, 16), (3840, 2160, 1, 1),
    ])
    func `small pictures are decoded by few threads`(
        width: Int, height: Int, cores: Int, threads: Int
    ) {
        let info = Self.info(.mp4, width, height)
        #expect(PlayerFrames.threads(for: info, cores: cores, all: true) == threads)
    }

    @Test(arguments: [
        (MediaType.mp4, 1280, 720, 1), (.webm, 64, 64, 1), (.mp4, 1281, 720, 4),
        (.mp4, 1920, 1080, 9), (.gif, 640, 360, 2),
    ])
    func `a film of a usual size is decoded by one thread at first`(
        type: MediaType, width: Int, height: Int, threads: Int
    ) {
        let info = Self.info(type, width, height)
        #expect(PlayerFrames.threads(for: info, cores: 16, all: false) == threads)
    }

    private static func info(_ type: MediaType, _ width: Int, _ height: Int) -> MediaInfo {
        MediaInfo(
            type: type, codec: "test", size: PixelSize(width: width, height: height),
            frameCount: 2, duration: .seconds(1), loop: .plays(0), hasAlpha: false)
    }

    @Test func `more threads continue with the same frame`() throws {
        let frames = try (0..<6).map { number in
            (
                picture: try Pictures.bitmap(8, 8) { _, _ in SIMD4(UInt8(number), 0, 0, 255) },
                duration: Duration.milliseconds(40)
            )
        }
        let sequence = FrameSequence(frames: frames)
        var source = try PlayerFrames(
            sequence, size: sequence.info.size, CancellationFlag(), hasAllThreads: false)
        for _ in 0..<4 { _ = try source.next(isPart: false) }
        try source.addThreads(at: 3)
        #expect(source.hasAllThreads)
        let frame = try #require(try source.next(isPart: false))
        #expect(frame.index == 3)
        #expect(frame.bitmap == frames[3].picture)
    }
}
