import Glibc
import Support
import Testing
import ToolSupport

/// `lazyimg frames`: the frames of `play --frames`, chosen in more ways.
@Suite(.ownThreads) struct FramesCommandTests {
    private let scratch = Scratch()

    private func run(_ words: String...) -> Tool.Outcome { Tool.run(["frames"] + words) }

    private func names(_ folder: String) -> [String] { scratch.names(folder).sorted() }

    @Test func `a folder has what play writes`() throws {
        let (one, two) = (scratch.path("one"), scratch.path("two"))
        #expect(run(Media.path("delays.gif"), "-o", one + "/").status == 0)
        #expect(Tool.run(["play", Media.path("delays.gif"), "--frames", two]).status == 0)
        #expect(names("one") == names("two") && names("one").contains("frames.json"))
        for name in names("one") {
            #expect(Tool.bytes(one + "/" + name) == Tool.bytes(two + "/" + name))
        }
        // What exists stays, and is replaced with --force.
        #expect(run(Media.path("delays.gif"), "-o", one).status == 73)
        #expect(run(Media.path("delays.gif"), "-o", one, "--force").status == 0)
    }

    /// Options, and the numbers of the frames that they choose of `clip.mp4`, which has 25 a second for five.
    @Test(arguments: [
        (["--every", "30"], [0, 30, 60, 90, 120]),
        (["--every", "500ms"], [0, 12, 25, 37, 50, 62, 75, 87, 100, 112]),
        (["--every", "0.5s", "--start", "4"], [100, 112]),
        (["--at", "0.5,#3,last"], [3, 12, 124]),
        (["--at", "50%", "--at", "1"], [25, 62]),
        (["--start", "#10", "--end", "#13"], [10, 11, 12]),
        (["--max-frames", "2"], [0, 1]),
    ])
    func `frames are chosen by number and by time`(options: [String], numbers: [Int]) throws {
        let outcome = Tool.run(
            ["frames", Media.path("clip.mp4"), "-o", scratch.path("out"), "-W", "64"] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let list = try ParsedJSON.parse(scratch.text("out/frames.json"))
        #expect(list["frames"]?.elements?.compactMap { $0["index"]?.integer } == numbers)
        #expect(names("out").count == numbers.count + 1)
    }

    @Test func `the output is a folder, a pattern, a stream or one file`() throws {
        let clip = Media.path("delays.gif")
        #expect(run(clip, "-o", scratch.path("p/f%03d.jpg"), "--start-number", "7").status == 0)
        #expect(names("p").contains("f007.jpg"))
        let pipe = run(clip, "-f", "y4m", "-o", "-")
        #expect(pipe.status == 0 && pipe.output.starts(with: Array("YUV4MPEG2 ".utf8)))
        #expect(run(clip, "-o", scratch.path("clip.y4m")).status == 0)
        #expect(Tool.bytes(scratch.path("clip.y4m")) == pipe.output)
        #expect(run(clip, "-o", scratch.path("clip.y4m")).status == 73)
        let one = run(clip, "--at", "first", "-o", scratch.path("first.png"))
        #expect(one.status == 0 && names("").contains("first.png"))
        #expect(run(clip, "-o", scratch.path("all.png")).status == 64)
        let raw = run(clip, "-o", scratch.path("all.raw"))
        #expect(raw.status == 64 && raw.errors.contains("'-f raw -o -'"), "\(raw.errors)")
    }

    @Test func `several inputs have a folder each`() throws {
        let inputs = [Media.path("delays.gif"), Media.path("small.mp4")]
        let outcome = Tool.run(["frames"] + inputs + ["--at", "first", "-o", scratch.path("all")])
        #expect(outcome.status == 0)
        #expect(names("all") == ["delays", "small"])
        #expect(names("all/small") == ["frame-00000.png", "frames.json"])
    }

    @Test func `an AVIF keeps the colors and the bits of a film`() {
        let made = run(
            Media.path("hdr10.mp4"), "--at", "first", "--color", "keep", "-f", "avif", "-o",
            scratch.path("deep"))
        #expect(made.status == 0, "\(made.errors)")
        let facts = Tool.run(["info", scratch.path("deep/frame-00000.avif")])
        let text = String(decoding: facts.output, as: UTF8.self)
        #expect(text.contains("10 bits") && text.contains("smpte2084"), "\(text)")
    }

    @Test func `other names are other results`() {
        mkdir(scratch.path("in"), 0o700)
        scratch.write(Tool.bytes(Media.path("delays.gif")), "in/delays.gif")
        for (pattern, first) in [
            ("a%d.png", "0"), ("b%d.png", "0"), ("b%d.png", "0"), ("b%d.png", "7"),
        ] {
            let outcome = Tool.run([
                "frames", "-r", scratch.path("in"), "-o", scratch.path("out"), "--pattern", pattern,
                "--start-number", first,
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(names("out/delays").contains(pattern.replacing("%d", with: first)))
        }
    }

    /// ffmpeg reads the stream with the colors, the rate and the number of frames of the clip.
    @Test func `ffmpeg reads Y4M as the clip`() throws {
        #expect(run(Media.path("small.mp4"), "-o", scratch.path("small.y4m")).status == 0)
        let compared = Peer.output(
            of: "ffmpeg -v error -i \(scratch.path("small.y4m")) -i \(Media.path("small.mp4")) "
                + "-lavfi '[0:v]format=yuv420p[a];[1:v]format=yuv420p[b];[a][b]psnr=stats_file=-' -f null - </dev/null"
        )
        let lines = String(decoding: compared, as: UTF8.self).split(separator: "\n")
        #expect(lines.count > 10)
        for line in lines {
            let words = line.split(separator: " ")
            let average = words.first { $0.hasPrefix("psnr_avg:") }?.dropFirst(9)
            #expect(average == "inf" || average.flatMap { Double($0) } ?? 0 > 38, "\(line)")
        }
    }

    @Test(arguments: [
        ["--fps", "5", "--every", "2"], ["--at", "1", "--scenes"],
        ["--every", "1s", "--keyframes"],
        ["--at", "1", "--start", "1"], ["-f", "null"], ["-f", "gif"], ["--every", "0s"],
    ])
    func `two choices are refused before anything is made`(options: [String]) {
        let outcome = Tool.run(
            ["frames", Media.path("clip.mp4"), "-o", scratch.path("none")] + options)
        #expect(outcome.status == 64 && !names("").contains("none"))
    }
}
