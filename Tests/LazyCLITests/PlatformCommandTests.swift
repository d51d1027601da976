import Support
import Testing
import ToolSupport

/// `animate --for`: the file is what the platform takes, as ffprobe sees it.
@Suite(.ownThreads) struct PlatformCommandTests {
    /// What a platform takes.
    struct Bounds: Sendable, CustomTestStringConvertible {
        let name: String
        let ending: String
        let byteCount: Int
        let isRight: @Sendable (_ width: Int, _ height: Int) -> Bool
        var seconds = Double.infinity
        var frames = Int.max
        var rate: Double?
        var testDescription: String { name }
    }

    static let platforms = [
        Bounds(
            name: "discord-emoji", ending: "gif", byteCount: 256_000,
            isRight: { max($0, $1) <= 128 }),
        Bounds(
            name: "discord-sticker", ending: "gif", byteCount: 512_000,
            isRight: { $0 == 320 && $1 == 320 }, seconds: 5),
        Bounds(
            name: "slack-emoji", ending: "gif", byteCount: 128_000,
            isRight: { max($0, $1) <= 128 }, frames: 50),
        Bounds(
            name: "telegram-sticker", ending: "webm", byteCount: 256_000,
            isRight: { max($0, $1) == 512 }, seconds: 3, rate: 30),
        Bounds(
            name: "telegram-emoji", ending: "webm", byteCount: 256_000,
            isRight: { $0 == 100 && $1 == 100 }, seconds: 3, rate: 30),
        Bounds(
            name: "whatsapp-sticker", ending: "webp", byteCount: 500_000,
            isRight: { $0 == 512 && $1 == 512 }, seconds: 10),
    ]

    private let scratch = Scratch()

    @Test(
        arguments: platforms,
        ["clip.mp4", "rotated-90.mp4", "disposal-mixed.gif", "counter.gif", "delays.gif"])
    func `the result is within the bounds`(bounds: Bounds, name: String) throws {
        let made = Tool.run(
            ["animate", Media.path(name), "--for", bounds.name, "-o", scratch.path("out/")])
        #expect(made.status == 0, "\(made.errors)")
        let file = scratch.names("out").first ?? ""
        #expect(file.hasSuffix("." + bounds.ending))
        let path = scratch.path("out/" + file)
        #expect(Tool.bytes(path).count <= bounds.byteCount)
        let facts = try ParsedJSON.parse(Tool.run(["info", path, "--frames", "--json"]).text)
        let (width, height) = (facts["width"]?.integer ?? 0, facts["height"]?.integer ?? 0)
        #expect(bounds.isRight(width, height), "\(width)x\(height)")
        #expect(Double(facts["durationUs"]?.integer ?? 0) / 1e6 <= bounds.seconds)
        let frames = facts["frames"]?.elements ?? []
        #expect(frames.count <= bounds.frames)
        if let rate = bounds.rate {
            let lengths = frames.map { Double($0["durationUs"]?.integer ?? 0) }
            #expect(lengths.allSatisfy { $0 >= 1_000_000 / rate - 1000 }, "\(lengths)")
        }
    }

    @Test(arguments: [
        ["--for", "slack-emoji", "-f", "webp"], ["--for", "telegram-sticker", "-W", "200"],
        ["--for", "telegram-emoji", "--start", "0", "--end", "4"], ["--for", "slack"],
    ])
    func `what contradicts a platform is refused`(options: [String]) {
        let made = Tool.run(
            ["animate", Media.path("clip.mp4"), "-o", scratch.path("none/")] + options)
        #expect(made.status != 0 && made.errors.hasPrefix("lazyimg: "), "\(made.errors)")
        #expect(scratch.names("none").isEmpty)
    }

    @Test func `help has the table with its sources`() {
        let help = Tool.run(["help", "for"])
        #expect(help.status == 0)
        for platform in Self.platforms {
            #expect(help.text.split(separator: "\n").count { $0.contains(platform.name) } >= 2)
        }
    }
}
