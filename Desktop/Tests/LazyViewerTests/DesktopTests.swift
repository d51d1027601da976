import DesktopSupport
import Foundation
import Testing

/// The viewer on a desktop: a window manager, and other programs.
@Suite(.serialized) struct DesktopTests {
    private let screen: Screen
    private let manager: Program

    init() throws {
        screen = try Screen()
        manager = try Program(
            "openbox", ["--sm-disable", "--startup", "echo ready"],
            environment: screen.environment())
        try #require(manager.line(beginning: "ready") != nil)
    }

    private func start(_ words: String...) throws -> Program {
        try Program(
            Place.program("lazyimg-view"), ["--trace"] + words, environment: screen.environment())
    }

    private func scenario(_ words: String...) throws -> Program {
        let program = try Program(
            Place.program("GTKScenarios"), words, environment: screen.environment())
        try #require(program.line(beginning: "ready") != nil)
        return program
    }

    /// Waits for a line of the trace with some text.
    private func wait(_ program: Program, _ text: String) throws {
        while let line = program.line() {
            if line.contains(text) { return }
        }
        throw Ended()
    }

    private struct Ended: Error {}

    private func output(_ words: String...) throws -> String {
        String(
            decoding: try Program.output(
                "xdotool", words, environment: ["DISPLAY": screen.display]), as: UTF8.self)
    }

    /// The number of the window of a class, once it is there.
    private func window(_ name: String) throws -> String {
        let found = try output("search", "--sync", "--onlyvisible", "--class", name)
        return String(try #require(found.split(separator: "\n").last))
    }

    /// The sides and the place of a window, as the server says.
    private func geometry(_ window: String) throws -> [String] {
        try output("getwindowgeometry", "--shell", window).split(separator: "\n")
            .filter { line in
                ["X=", "Y=", "WIDTH=", "HEIGHT="].contains { line.hasPrefix($0) }
            }
            .map(String.init)
    }

    @Test func `a key covers the screen, and Escape returns to the window`() throws {
        let program = try start(Place.media("clip.mp4"))
        try wait(program, "\"frame\":")
        let window = try window("lazyimg")
        try screen.send("windowfocus", "--sync", window)
        let before = try geometry(window)
        try screen.send("key", "f")
        while try geometry(window) != ["X=0", "Y=0", "WIDTH=1280", "HEIGHT=800"] {}
        try screen.send("key", "Escape")
        while try geometry(window).suffix(2) != before.suffix(2) {}
        try screen.send("key", "q")
        #expect(program.wait() == 0)
    }

    @Test func `the window of a grid becomes wide and narrow again`() throws {
        let program = try start(Place.root + "media")
        try wait(program, "\"page\":\"grid\"")
        let window = try window("lazyimg")
        for width in ["1200", "560", "1000", "480"] {
            // The grid has its columns after the first layout of a size.
            var seen: [String] = []
            for _ in 0..<100 where !seen.contains("WIDTH=\(width)") {
                try screen.send("windowsize", window, width, "700")
                seen = try geometry(window)
            }
            #expect(seen.contains("WIDTH=\(width)"), "\(seen)")
        }
    }

    @Test func `the option covers the screen from the start`() throws {
        let program = try start("--fullscreen", Place.media("clip.mp4"))
        try wait(program, "\"frame\":")
        let window = try window("lazyimg")
        while try geometry(window) != ["X=0", "Y=0", "WIDTH=1280", "HEIGHT=800"] {}
    }

    /// Presses at one place, and lets go at another one when `target` says that it may.
    private func drag(
        from start: (Int, Int), to end: (Int, Int), _ target: () throws -> Void
    ) throws {
        func move(_ place: (Int, Int)) throws {
            try screen.send("mousemove", "\(place.0)", "\(place.1)")
        }
        try move(start)
        try screen.send("mousedown", "1")
        for step in 1...10 {
            try move(
                (start.0 + (end.0 - start.0) * step / 10, start.1 + (end.1 - start.1) * step / 10))
        }
        try target()
        try screen.send("mouseup", "1")
    }

    private func place(_ window: String, _ x: Int, _ y: Int) throws {
        try screen.send("windowmove", "--sync", window, "\(x)", "\(y)")
    }

    @Test(arguments: [("file", "clip.mp4"), ("picture", "640x360")])
    func `the image is dragged out as its file and as a picture`(
        kind: String, expected: String
    ) throws {
        let target = try scenario("drop", kind)
        try place(window("GTKScenarios"), 1050, 20)
        let program = try start(Place.media("clip.mp4"))
        try wait(program, "\"frame\":")
        try place(window("lazyimg"), 20, 20)
        try drag(from: (400, 350), to: (1150, 120)) {
            try #require(target.line(beginning: "over") != nil)
        }
        let dropped = try #require(target.line(beginning: "dropped"))
        #expect(dropped.hasSuffix(expected))
        if kind == "file" {
            #expect(dropped == "dropped file://" + Place.media("clip.mp4"))
        }
    }

    @Test func `a file that is dropped on the viewer is shown`() throws {
        let source = try scenario("drag", Place.media("counter.gif"))
        try place(window("GTKScenarios"), 1050, 20)
        let program = try start(Place.media("clip.mp4"))
        try wait(program, "\"frame\":")
        try place(window("lazyimg"), 20, 20)
        try drag(from: (1150, 120), to: (400, 350)) {}
        try wait(program, "\"item\":\"counter.gif\"")
        withExtendedLifetime(source) {}
    }
}
