import DesktopSupport
import Foundation
import Testing

/// The program itself: keys and pointer go in, what it shows comes out.
@Suite(.serialized) struct ViewerTests {
    private let screen: Screen

    init() throws { screen = try Screen() }

    /// What one line of the trace says.
    private struct Shown: Decodable {
        var page: String
        var position: Int
        var item: String?
        var phase: String
        var frame: Int?
        var frames: Int?
        var playing: Bool
        var rate: Double
        var zoom: Double
        var turns: Int
    }

    private func start(_ words: String...) throws -> Program {
        try Program(
            Place.program("lazyimg-view"), ["--trace"] + words, environment: screen.environment())
    }

    /// Reads the trace up to a line that satisfies a condition.
    private func wait(_ program: Program, _ condition: (Shown) -> Bool) throws -> Shown {
        while let line = program.line() {
            guard let shown = try? JSONDecoder().decode(Shown.self, from: Data(line.utf8)) else {
                continue
            }
            if condition(shown) { return shown }
        }
        throw Ended()
    }

    private struct Ended: Error {}

    /// Without a window manager nobody gives the window the keys.
    private func focus() throws {
        try screen.send(
            "search", "--sync", "--onlyvisible", "--class", "lazyimg", "windowfocus", "--sync")
    }

    private func press(_ keys: String...) throws {
        for key in keys { try screen.send("key", key) }
    }

    @Test func `keys pause, step, change the speed, turn, zoom and go to other files`() throws {
        let program = try start(Place.media("clip.mp4"))
        let first = try wait(program) { ($0.frame ?? 0) > 2 }
        #expect(first.item == "clip.mp4" && first.frames == 125 && first.playing)
        try focus()
        try press("space")
        _ = try wait(program) { !$0.playing }
        try press("BackSpace")
        _ = try wait(program) { $0.frame == 0 }
        try press("period")
        _ = try wait(program) { $0.frame == 1 }
        try press("period")
        _ = try wait(program) { $0.frame == 2 && !$0.playing }
        try press("comma")
        _ = try wait(program) { $0.frame == 1 }
        try press("bracketright")
        _ = try wait(program) { $0.rate == 1.25 }
        try press("equal")
        _ = try wait(program) { $0.rate == 1 }
        try press("r")
        _ = try wait(program) { $0.turns == 1 }
        try press("shift+r")
        _ = try wait(program) { $0.turns == 0 }
        try press("plus")
        _ = try wait(program) { $0.zoom == 1.25 }
        try press("0")
        _ = try wait(program) { $0.zoom == 1 }
        try press("Right")
        let next = try wait(program) { $0.position == first.position + 1 && $0.phase == "success" }
        #expect(next.item == "contact.png")
        try press("Left")
        _ = try wait(program) { $0.item == "clip.mp4" && $0.playing }
        try press("minus")
        _ = try wait(program) { $0.rate == -1 }
        try press("g")
        #expect(try wait(program) { $0.page == "grid" }.position == first.position)
        try press("q")
        #expect(program.wait() == 0)
    }

    @Test func `the frame that is shown is the frame of the clip`() throws {
        let program = try start(Place.media("clip.mp4"))
        _ = try wait(program) { $0.frame != nil }
        try focus()
        try press("space", "BackSpace")
        _ = try wait(program) { $0.frame == 0 && !$0.playing }
        for frame in 1...2 {
            try press("period")
            _ = try wait(program) { $0.frame == frame }
        }
        // The video fills 640 pixels of the window, which has its own pixels: nothing is scaled.
        let expected = try Program.output(
            "ffmpeg",
            [
                "-v", "error", "-i", Place.media("clip.mp4"), "-vf", "select=eq(n\\,2)",
                "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-",
            ])
        let picture = NSTemporaryDirectory() + "lazyimg-view-\(getpid()).png"
        defer { try? FileManager.default.removeItem(atPath: picture) }
        try screen.write(to: picture)
        let place = try Self.place(of: expected, width: 640, height: 360, in: picture)
        #expect(place != nil, "the frame is nowhere on the screen")
    }

    /// Where a picture is on a screenshot, up to the rounding of color conversion.
    private static func place(
        of picture: [UInt8], width: Int, height: Int, in path: String
    ) throws -> (Int, Int)? {
        let screen = try Program.output("convert", [path, "-depth", "8", "rgb:-"])
        let side = 1280
        for y in 0...(800 - height) {
            for x in 0...(side - width) {
                let isThere = Swift.stride(from: 0, to: height, by: 40).allSatisfy { row in
                    Swift.stride(from: 0, to: width, by: 40).allSatisfy { column in
                        (0..<3).allSatisfy { channel in
                            let seen = screen[((y + row) * side + x + column) * 3 + channel]
                            let wanted = picture[(row * width + column) * 3 + channel]
                            return abs(Int(seen) - Int(wanted)) <= 3
                        }
                    }
                }
                if isThere { return (x, y) }
            }
        }
        return nil
    }

    @Test func `a folder is a grid, whose item opens by a key`() throws {
        let program = try start(Place.root + "media")
        let grid = try wait(program) { $0.page == "grid" }
        #expect(grid.position == 0)
        try focus()
        try press("Right", "Return")
        let item = try wait(program) { $0.page == "viewer" && $0.phase == "success" }
        #expect(item.position == 1)
        try press("Escape")
        _ = try wait(program) { $0.page == "grid" }
        try press("Escape")
        #expect(program.wait() == 0)
    }

    @Test func `the wheel zooms to the pointer`() throws {
        let program = try start(Place.media("clip.mp4"))
        _ = try wait(program) { $0.frame != nil }
        try screen.send("mousemove", "300", "300")
        try screen.send("click", "4")
        _ = try wait(program) { $0.zoom == 1.25 }
        try screen.send("click", "5")
        _ = try wait(program) { $0.zoom == 1 }
    }

    @Test(arguments: [(["/there/is/none.gif"], 66), (["--kind", "x"], 64), (["--help"], 0)])
    func `exit codes say what is wrong`(words: [String], code: Int) throws {
        let program = try Program(
            Place.program("lazyimg-view"), words, environment: screen.environment())
        while program.line() != nil {}
        #expect(program.wait() == Int32(code))
    }

    @Test func `decoders that crash do not end the window`() throws {
        let program = try start("--isolate", "always", Place.media("clip.mp4"))
        let first = try wait(program) { ($0.frame ?? 0) > 2 }
        try focus()
        #expect(program.killChildren(SIGKILL) >= 2)
        // The next ones are decoded by processes that are started anew.
        try press("Right", "Right")
        _ = try wait(program) { $0.position == first.position + 2 && $0.phase == "success" }
        try press("q")
        #expect(program.wait() == 0)
    }

    @Test(arguments: [("auto", "failure"), ("always", "failure"), ("never", "success")])
    func `media is decoded in another program unless that is not wanted`(
        choice: String, phase: String
    ) throws {
        var environment = screen.environment()
        environment["LAZYIMG_DECODER"] = "/bin/false"
        let program = try Program(
            Place.program("lazyimg-view"),
            ["--trace", "--isolate", choice, Place.media("still.jpg")], environment: environment)
        let shown = try wait(program) { ["failure", "success"].contains($0.phase) }
        #expect(shown.phase == phase)
    }

    @Test func `without a display the exit code says so`() throws {
        let program = try Program(
            Place.program("lazyimg-view"), [Place.media("clip.mp4")],
            environment: ["DISPLAY": "", "WAYLAND_DISPLAY": "none"])
        while program.line() != nil {}
        #expect(program.wait() == 69)
    }
}
