import Support
import Testing
import ToolSupport

/// What a file cannot have, and what an option cannot do, is said or refused, whatever command makes it.
@Suite(.ownThreads) struct ReportedLossTests {
    private let scratch = Scratch()

    private func codes(_ words: [String]) throws -> [String] {
        let made = Tool.run(words + ["--json"])
        #expect(made.status == 0, "\(made.errors)")
        return try ParsedJSON.parse(made.text)["warnings"]?.elements?
            .compactMap { $0["code"]?.string } ?? []
    }

    @Test(arguments: [
        ("delays.gif", [], ["timesLost"]), ("vfr.mp4", [], ["timesLost"]),
        ("vfr.mp4", ["--fps", "10"], []), ("counter.gif", [], []), ("small.mp4", [], []),
    ])
    func `a stream of one rate says that times differ`(
        name: String, options: [String], expected: [String]
    ) throws {
        let output = scratch.path("a.y4m")
        #expect(try codes(["frames", Media.path(name), "-o", output] + options) == expected)
    }

    @Test(arguments: [
        ["poster", "-o", "p.jpg"], ["poster", "-o", "p.ppm"], ["frames", "-f", "jpg", "-o", "j/"],
        ["frames", "-f", "ppm", "-o", "p/"], ["frames", "-o", "a.y4m"],
    ])
    func `transparency that is lost is said`(words: [String]) throws {
        var words = words
        words[words.count - 1] = scratch.path(words[words.count - 1])
        #expect(try codes(words + [Media.path("vp9-alpha.webm")]) == ["alphaLost"])
        #expect(try codes(words + ["--force", Media.path("small.mp4")]).isEmpty)
    }

    @Test func `words that no format takes are said to be asked for in vain`() throws {
        for ending in ["gif", "webp"] {
            let output = scratch.path("a." + ending)
            let words = ["convert", Media.path("small.mp4"), "-o", output, "--allow-larger"]
            #expect(try codes(words + ["--keep", "all"]).contains("withoutEffect"))
            #expect(try !codes(words + ["--force"]).contains("withoutEffect"))
        }
    }

    @Test func `what has no effect is named as it was typed`() {
        let still = Media.path("still-rgb8.png")
        func errors(_ words: String...) -> String {
            Tool.run(words + [still, "--force"]).errors
        }
        let gif = scratch.path("a.gif")
        #expect(
            errors("animate", "-o", gif, "--max-frames", "3", "--loop-seam", "none").contains(
                "--max-frames, --loop-seam have no effect: the source is one picture."))
        #expect(!errors("animate", "--for", "slack-emoji", "-o", gif).contains("no effect"))
        #expect(
            errors("convert", "-o", scratch.path("a.webp"), "--keep", "all").contains(
                "--keep has no effect: "))
    }

    @Test func `a chapter that is missing has a hint for chapters`() {
        let words = ["poster", Media.path("small.mp4"), "-o", scratch.path("a.png")]
        let made = Tool.run(words + ["--at", "chapter:3"])
        #expect(made.status != 0 && made.errors.contains("'lazyimg info' for what"))
    }

    @Test(arguments: ["gif", "webp"])
    func `a cross-fade that the clip is too short for is said`(ending: String) throws {
        let words = ["convert", Media.path("small.mp4"), "-o", scratch.path("a." + ending)]
        let options = words + ["--allow-larger", "--force", "--crossfade"]
        #expect(try codes(options + ["100"]).contains("reduced"))
        #expect(try !codes(options + ["0.1"]).contains("reduced"))
    }

    @Test func `each segment has a frame`() {
        let output = scratch.path("a.gif")
        let made = Tool.run([
            "convert", Media.path("small.mp4"), "--segments", "0-1,20-30", "-o", output,
        ])
        #expect(made.status == 65 && made.errors.contains("segment 2"), "\(made.errors)")
    }

    @Test func `more tiles than milliseconds are refused`() {
        let output = scratch.path("a.jpg")
        let made = Tool.run(["sheet", Media.path("small.mp4"), "-n", "2500", "-o", output])
        #expect(made.status == 64 || made.status == 65, "\(made.errors)")
        #expect(made.errors.contains("at most 2000 tiles"), "\(made.errors)")
    }

    @Test func `a list of chapters without chapters is said to be empty`() throws {
        let output = scratch.path("a.jpg")
        let words = ["sheet", Media.path("small.mp4"), "-n", "2", "--chapters", "-o", output]
        #expect(try codes(words) == ["withoutEffect"])
    }

    @Test func `16 bits become 8 with a warning, in posters, too`() throws {
        let source = Media.path("still-rgb16.png")
        for ending in ["png", "avif"] {
            let output = scratch.path("a." + ending)
            #expect(try codes(["poster", source, "-o", output]) == ["depthReduced"])
            #expect(
                try codes(["poster", source, "-o", output, "--force", "--color", "keep"]).isEmpty)
        }
        for ending in ["jpg", "webp"] {
            let output = scratch.path("a." + ending)
            #expect(try codes(["poster", source, "-o", output]) == ["depthReduced"])
        }
        let exact = ["convert", source, "-o", scratch.path("b.avif"), "--color", "keep"]
        #expect(try codes(exact).isEmpty)
        #expect(try codes(exact + ["--force", "--lossless"]) == ["depthReduced"])
    }

    @Test func `PNM says nothing of colors, and does not keep them`() {
        for words in [["poster", "-o", "a.ppm"], ["frames", "-f", "ppm", "-o", "p/"]] {
            let output = scratch.path(words[words.count - 1])
            let made = Tool.run(
                words.dropLast() + [output, Media.path("hdr10.mp4"), "--color", "keep"])
            #expect(made.status != 0 && made.errors.contains("colors"), "\(made.errors)")
        }
    }

    @Test func `long texts are wrapped`() throws {
        func poster(_ text: String) -> [UInt8] {
            let made = Tool.run([
                "poster", Media.path("clip.mp4"), "-W", "320", "--text", text, "--text-size", "20",
                "-f", "ppm", "-o", "-",
            ])
            #expect(made.status == 0, "\(made.errors)")
            return made.output
        }
        // Two lines: no word is lost, and the first is where two texts of a line each have theirs.
        let long = Array(repeating: "word", count: 14).joined(separator: " ")
        #expect(poster(long) != poster(long + " end"))
    }

    @Test(arguments: [
        (#"{"kind": "poster", "foo": 1}"#, "foo"), (#"{"kind": "postr"}"#, "poster"),
    ])
    func `an error of JSON names what is wrong`(json: String, word: String) {
        let made = Tool.run(["make", json, Media.path("small.mp4"), "-o", scratch.path("a.png")])
        #expect(made.status == 64 && made.errors.contains(word), "\(made.errors)")
    }

    @Test func `a rendition is not written under the name of another type`() {
        let json = #"{"kind": "poster", "output": {"type": "png"}}"#
        let small = Media.path("small.mp4")
        let other = Tool.run(["make", json, small, "-o", scratch.path("a.webp")])
        #expect(other.status == 64 && other.errors.contains("PNG"), "\(other.errors)")
        #expect(scratch.names("").isEmpty)
        #expect(Tool.run(["make", json, small, "-o", scratch.path("a.png")]).status == 0)
    }

    /// Its table of samples is cut off.
    @Test(.needs("ffmpeg")) func `a film without a frame has no facts`() {
        _ = Peer.output(
            of:
                "cd '\(scratch.path)' && ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10:d=1 -c:v libx264 a.mp4 </dev/null; head -c -400 a.mp4 > b.mp4"
        )
        let facts = Tool.run(["info", scratch.path("b.mp4")])
        let poster = Tool.run(["poster", scratch.path("b.mp4"), "-o", scratch.path("b.png")])
        #expect(facts.status == 65 && poster.status == 65, "\(facts.text)")
    }

    @Test(.needs("ffmpeg")) func `the track of chapters is kept, and not missed`() throws {
        scratch.write(
            Array(
                ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=a\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=b\n"
                    .utf8), "chapters")
        _ = Peer.output(
            of:
                "cd '\(scratch.path)' && ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10:d=1 -i chapters -map_chapters 1 -c:v libx264 -pix_fmt yuv420p a.mp4 </dev/null"
        )
        let words = ["convert", scratch.path("a.mp4"), "-W", "32", "-o", scratch.path("b.mp4")]
        #expect(try !codes(words).contains("partsDropped"))
    }
}
