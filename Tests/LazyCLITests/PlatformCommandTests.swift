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
        ["--for", "telegram-sticker", "--fps", "60"],
        ["--for", "telegram-sticker", "--duration", "4"],
        ["--for", "telegram-sticker", "--max-bytes", "1M"],
        ["--for", "slack-emoji", "--max-frames", "100"],
        ["--for", "telegram-sticker", "--codec", "av1"],
        ["--for", "telegram-emoji", "--codec", "av1"],
        ["--for", "discord-emoji", "--name", "{name}.mp4"],
    ])
    func `what contradicts a platform is refused`(options: [String]) {
        let made = Tool.run(
            ["animate", Media.path("clip.mp4"), "-o", scratch.path("none/")] + options)
        #expect(made.status != 0 && made.errors.hasPrefix("lazyimg: "), "\(made.errors)")
        #expect(scratch.names("none").isEmpty)
    }

    @Test(arguments: [
        ("telegram-sticker", "gif"), ("discord-emoji", "mp4"), ("slack-emoji", "webp"),
        ("whatsapp-sticker", "gif"),
    ])
    func `a name of another format is refused`(platform: String, ending: String) {
        let output = scratch.path("a." + ending)
        let made = Tool.run(["animate", Media.path("clip.mp4"), "--for", platform, "-o", output])
        #expect(made.status != 0 && made.errors.contains(platform), "\(made.errors)")
        #expect(scratch.names("").isEmpty)
    }

    /// A noisy picture, which takes far more than WhatsApp's 100 kB at the usual quality.
    @Test(.needs("ffmpeg")) func `a sticker that does not move has a limit of its own`() {
        let picture = scratch.path("noise.png")
        _ = Peer.output(
            of:
                "ffmpeg -v error -y -f lavfi -i 'nullsrc=s=512x512,geq=random(1)*160:128:128' -frames:v 1 '\(picture)' </dev/null"
        )
        let output = scratch.path("a.webp")
        let made = Tool.run(["animate", picture, "--for", "whatsapp-sticker", "-o", output])
        #expect(made.status == 0, "\(made.errors)")
        #expect((1...100_000).contains(Tool.bytes(output).count))
    }

    @Test func `a pattern chooses among the formats of a platform`() {
        let made = Tool.run([
            "animate", Media.path("counter.gif"), "--for", "discord-emoji", "-o",
            scratch.path("d/"), "--name", "{name}.webp",
        ])
        #expect(made.status == 0, "\(made.errors)")
        #expect(Tool.bytes(scratch.path("d/counter.webp")).starts(with: Array("RIFF".utf8)))
    }

    /// Slack's 50 frames are spread over the length that is asked for.
    @Test(.needs("ffmpeg")) func `a long length has a lower rate`() throws {
        let film = scratch.path("film.mp4")
        _ = Peer.output(
            of:
                "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=22 -c:v libx264 -preset ultrafast '\(film)' </dev/null"
        )
        let output = scratch.path("a.gif")
        let made = Tool.run([
            "animate", film, "--for", "slack-emoji", "--duration", "20", "-o", output,
        ])
        #expect(made.status == 0, "\(made.errors)")
        let facts = try ParsedJSON.parse(Tool.run(["info", output, "--json"]).text)
        #expect(facts["frameCount"]?.integer ?? 99 <= 50)
        #expect(abs((facts["durationUs"]?.integer ?? 0) - 20_000_000) < 500_000)
    }

    @Test func `help has the table with its sources`() {
        let help = Tool.run(["help", "for"])
        #expect(help.status == 0)
        for platform in Self.platforms {
            #expect(help.text.split(separator: "\n").count { $0.contains(platform.name) } >= 2)
        }
    }
}
