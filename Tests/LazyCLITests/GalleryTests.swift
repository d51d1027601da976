import Glibc
import Support
import Testing
import ToolSupport

@Suite(.ownThreads) struct GalleryTests {
    /// A folder of clips, and a folder for journals.
    private static func folder() throws -> Scratch {
        let scratch = Scratch()
        mkdir(scratch.path("clips"), 0o700)
        mkdir(scratch.path("clips/deep"), 0o700)
        for name in ["loop-3.gif", "counter.gif", "still.png"] {
            let source = name == "still.png" ? "still-rgb8.png" : name
            let folder = name == "counter.gif" ? "clips/deep/" : "clips/"
            Tool.write(try Media.array(source), to: scratch.path(folder + name))
        }
        return scratch
    }

    private static func run(_ scratch: Scratch, _ words: [String]) -> Tool.Outcome {
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        return Tool.shell(
            "cd '\(scratch.path)' && XDG_STATE_HOME='\(scratch.path("state"))' \"$lazyimg\" gallery \(line)"
        )
    }

    private static func counts(_ outcome: Tool.Outcome) throws -> [String: Int] {
        let json = try ParsedJSON.parse(outcome.text)
        return Dictionary(
            uniqueKeysWithValues: ["made", "skipped", "failed", "items", "missing", "removed"].map {
                ($0, json[$0]?.integer ?? -1)
            })
    }

    @Test func `a gallery is made once, and continued after a change`() throws {
        let scratch = try Self.folder()
        let words = ["clips", "-o", "site", "--posters", "webp,jpg", "--json"]
        let first = Self.run(scratch, words)
        #expect(first.status == 0, "\(first.errors)")
        #expect(try Self.counts(first)["made"] == 3)
        #expect(
            scratch.names("site") == [
                "data", "gallery.css", "gallery.js", "icon.svg", "index.html", "items",
            ])
        #expect(scratch.text("site/index.html").contains("<title>clips</title>"))
        #expect(try Self.counts(Self.run(scratch, words))["skipped"] == 3)
        unlink(scratch.path("clips/loop-3.gif"))
        let third = Self.run(scratch, words + ["--prune"])
        let counts = try Self.counts(third)
        #expect(counts["items"] == 2 && counts["removed"] == 1)
    }

    @Test func `other colors make the items again`() throws {
        let scratch = try Self.folder()
        let words = ["clips", "-o", "site", "--posters", "jpg", "--media", "none", "--json"]
        #expect(try Self.counts(Self.run(scratch, words))["made"] == 3)
        #expect(try Self.counts(Self.run(scratch, words + ["--tone", "clip"]))["made"] == 3)
    }

    /// Whether colors, not alpha, are brighter than gray.
    private static func hasLetters(_ pixels: [UInt8]) -> Bool {
        stride(from: 0, to: pixels.count, by: 4).contains { pixels[$0] > 160 }
    }

    @Test(.needs("ffmpeg"))
    func `edits are in all pictures of an item, and a film keeps its sound`() throws {
        let scratch = Scratch()
        mkdir(scratch.path("clips"), 0o700)
        _ = Peer.output(
            of: """
                cd '\(scratch.path)' && printf '1\\n00:00:00,000 --> 00:00:09,000\\nHello\\n' > s.srt && \
                ffmpeg -v error -y -f lavfi -i color=gray:s=320x180:r=10:d=2 -f lavfi -i sine=d=2 -i s.srt \
                -pix_fmt yuv420p -c:v libx264 -c:a aac -c:s mov_text -metadata:s:s language=eng clips/a.mp4 </dev/null
                """)
        let words = ["clips", "-o", "site", "--posters", "png", "--json"]
        func pixels(_ item: String, _ name: String, _ more: [String] = []) -> [UInt8] {
            Tool.run(
                [
                    "play", scratch.path("site/items/\(item)/\(name)"), "--frames", "-", "--format",
                    "raw",
                ]
                    + more
            ).output
        }
        #expect(try Self.counts(Self.run(scratch, words))["made"] == 1)
        let item = try #require(scratch.names("site/items").first)
        let names = ["poster-320.png", "preview.webp", "sheet.webp", "film.mp4"]
        let plain = names.map { pixels(item, $0, ["--max-frames", "1"]) }

        let edits = ["--subtitles", "track:en", "--crop", "160x180", "--gravity", "center"]
        #expect(try Self.counts(Self.run(scratch, words + edits))["made"] == 1)
        #expect(try Self.counts(Self.run(scratch, words + edits))["skipped"] == 1)
        #expect(
            scratch.text("site/items/\(item)/item.json").contains("\"width\": 160, \"height\": 180")
        )
        for (name, plain) in zip(["poster-160.png"] + names.dropFirst(), plain) {
            let edited = pixels(item, name, ["--max-frames", "1"])
            #expect(!edited.isEmpty && edited.count < plain.count, "\(name)")
            // White letters on gray.
            #expect(Self.hasLetters(edited), "\(name)")
            #expect(!Self.hasLetters(plain), "\(name)")
        }
        let streams = Tool.run(["info", "--json", scratch.path("site/items/\(item)/film.mp4")]).text
        #expect(streams.contains("\"aac\""))
    }

    @Test func `shards make a site together`() throws {
        let scratch = try Self.folder()
        var made = 0
        for shard in ["1/2", "2/2"] {
            let outcome = Self.run(
                scratch, ["clips", "-o", "site", "--posters", "jpg", "--shard", shard, "--json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let counts = try Self.counts(outcome)
            made += counts["made"] ?? 0
            #expect(counts["items"] == made && counts["missing"] == 3 - made)
        }
        #expect(made == 3)
    }

    @Test func `an input that fails is reported, and the page shows the others`() throws {
        let scratch = try Self.folder()
        Tool.write(Array("GIF89a".utf8), to: scratch.path("clips/broken.gif"))
        let outcome = Self.run(
            scratch, ["clips", "-o", "site", "--posters", "jpg"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("clips/broken.gif"))
        #expect(outcome.errors.contains("site/index.html: 3 items, 1 not on it"))
    }

    @Test func `pictures can be left out, and titles are given`() throws {
        let scratch = try Self.folder()
        let outcome = Self.run(
            scratch,
            [
                "clips", "-o", "site", "--no-pictures", "--title", "<A & B>", "--media",
                "none",
                "--posters", "jpg", "--json",
            ])
        #expect(try Self.counts(outcome)["items"] == 2)
        #expect(scratch.text("site/index.html").contains("<title>&lt;A &amp; B&gt;</title>"))
        #expect(!scratch.text("site/data/1.js").contains("\"media\""))
    }

    @Test func `kinds of files can be chosen`() throws {
        let scratch = try Self.folder()
        let words = ["clips", "-o", "site", "--media", "none", "--posters", "jpg", "--json"]
        #expect(try Self.counts(Self.run(scratch, words + ["--kind", "image"]))["items"] == 1)
        #expect(
            try Self.counts(Self.run(scratch, words + ["--kind", "image,animation"]))["items"] == 3)
    }

    @Test func `a page of another program is kept`() throws {
        let scratch = try Self.folder()
        mkdir(scratch.path("site"), 0o700)
        Tool.write(Array("<p>mine".utf8), to: scratch.path("site/index.html"))
        let outcome = Self.run(
            scratch, ["clips", "-o", "site"])
        #expect(outcome.status == 73)
        #expect(scratch.names("site") == ["index.html"])
    }

    @Test(arguments: [
        (["clips"], "Missing expected argument '--output <dir>'"),
        (["clips", "-o", "-"], "A site is not written to standard output."),
        (["https://example.org/a.gif", "-o", "site"], "A gallery is made of files"),
        (["nothing", "-o", "site", "--posters", "bmp"], "write some of avif, webp, jpg and png"),
        (["clips", "-o", "site", "--prune", "--shard", "1/2"], "--prune cannot be combined"),
        (["clips", "clips", "-o", "site"], "have the same name in the site"),
        (["clips", "-o", "site", "--gravity", "north"], "--gravity needs cropping"),
        (["clips", "-o", "site", "--pad-color", "red"], "--pad-color needs --pad"),
        (["clips", "-o", "site", "--subtitles", "track:x1"], "track, track:2 or track:deu"),
    ]) func `wrong options are said`(words: [String], message: String) throws {
        let scratch = try Self.folder()
        let outcome = Self.run(scratch, words)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!scratch.names().contains("site"))
    }
}
