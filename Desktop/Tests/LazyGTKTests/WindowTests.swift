import DesktopSupport
import Testing

/// Real windows: another process opens them, because GTK owns the main thread of its process.
@Suite(.serialized) struct WindowTests {
    private let screen: Screen

    init() throws { screen = try Screen() }

    private func start(_ words: String...) throws -> Program {
        try Program(
            Place.program("GTKScenarios"), words, environment: screen.environment())
    }

    @Test func `tasks of the main actor run on GLib's loop, which then waits without a timeout`()
        throws
    {
        let facts = try start("actor").facts()
        #expect(facts["sum"] == "499500")
        #expect(facts["timeout"] == "none")
    }

    @Test func `nothing wakes the loop for a still image and an animation that is over`() throws {
        let facts = try start("idle", Place.media("still.jpg"), Place.media("loop-3.gif")).facts()
        #expect(facts["animations"] == "1")
        #expect(facts["timeout"] == "none")
        #expect(facts["paints"] == "0")
        #expect(facts["turns"] == "0")
    }

    @Test func `each frame is on screen at its time, pixel for pixel`() throws {
        let program = try start("frames", Place.media("counter.gif"))
        var looks = 0
        while let line = program.line(), !line.hasPrefix("phase") {
            guard line.hasPrefix("look ") else { continue }
            let number = try #require(Int(line.dropFirst(5)))
            let frame = try Program.output(
                "convert",
                [
                    "\(Place.media("counter.gif"))[0-\(number)]", "-coalesce", "-delete", "0--2",
                    "-alpha", "off", "-depth", "8", "rgb:-",
                ])
            try #expect(screen.pixels(area: "160x96+0+0") == frame, "frame \(number)")
            looks += 1
            program.write("next")
        }
        #expect(looks > 5)
        #expect(program.wait() == 0)
    }

    @Test func `two views of one animation share its frames and textures`() throws {
        let facts = try start("shared", Place.media("counter.gif")).facts()
        #expect(facts["same"] == "true")
        #expect(facts["stores"] == "1")
    }

    @Test func `reduced motion shows the poster, also when it is set while playing`() throws {
        let facts = try start("motion", Place.media("counter.gif")).facts()
        #expect(facts["reduced"] == "true")
        #expect(facts["plays"] == "true")
        #expect(facts["reducedAgain"] == "true")
    }

    @Test func `a larger window decodes anew and stays at its frame`() throws {
        let facts = try start("size", Place.media("clip.mp4")).facts()
        #expect(facts["first"] == "160x90")
        #expect(facts["grown"] == "480x270")
        #expect(facts["state"] == "paused")
    }

    @Test func `role, label and state are told to assistive technologies`() throws {
        let program = try Program(
            Place.program("GTKScenarios"), ["accessible", Place.media("counter.gif")],
            environment: screen.environment().merging(["GTK_A11Y": "test"]) { $1 })
        let facts = program.facts()
        #expect(facts["role"] == "true")
        #expect(facts["label"] == "1")
        #expect(facts["busy"] == "1")
    }

    @Test func `options have their defaults, and callbacks come in order`() throws {
        let facts = try start("options", Place.media("counter.gif")).facts()
        #expect(facts["mode"] == "aspectFill")
        for name in ["load", "transition", "animated", "previews", "looping"] {
            #expect(facts[name] == "true", "\(name)")
        }
        #expect(facts["calls"] == "created,start,success,completion")
        #expect(facts["reset"] == "empty")
    }

    @Test func `each failure says its own sentence in a view that showed another`() throws {
        let facts = try start(
            "sentences", Place.media("encrypted.mp4"), "/none.gif", Place.media("README.md")
        ).facts()
        let errors = (0..<3).compactMap { facts["error\($0)"] }
        #expect(Set(errors).count == 3 && !errors.contains(""))
        #expect((0..<3).compactMap { facts["text\($0)"] } == errors)
        #expect((0..<3).compactMap { facts["tip\($0)"] } == errors)
    }

    @Test func `gray fills a view whose load has failed`() throws {
        #expect(try start("gray", "/none.gif").facts()["alphas"] == "[51, 51]")
    }

    @Test(arguments: [("", "cairo"), ("gl", "gl")])
    func `the processor draws where GL is software, unless the user says what does`(
        wish: String, renderer: String
    ) throws {
        let facts = try Program(
            Place.program("GTKScenarios"), ["renderer"],
            environment: screen.environment(renderer: wish)
        ).facts()
        #expect(facts["renderer"] == renderer)
    }

    @Test(arguments: ["cairo", "gl"])
    func `a hundred animations stay within memory and textures`(renderer: String) throws {
        let words = ["animation.webp", "animation.png"].map(Place.media)
        let facts = try Program(
            Place.program("GTKScenarios"), ["many"] + words,
            environment: screen.environment(renderer: renderer)
        ).facts()
        let views = try #require(facts["views"].flatMap(Int.init))
        let textures = try #require(facts["textures"].flatMap(Int.init))
        #expect(views == 100)
        #expect(facts["playing"] == "100")
        #expect(textures <= 3 * views)
        let pool = try #require(facts["pool"].flatMap(Int.init))
        let memory = try #require(facts["rss"].flatMap(Int.init))
        #expect(memory <= (renderer == "gl" ? 170 + 2 * pool : 100 + pool) + Self.debugMegabytes)
    }

    /// What a debug build takes more, and the GL driver without a graphics processor.
    private static let debugMegabytes = 100
}
