import Glibc
import Support
import Testing
import ToolSupport

@Suite(.ownThreads) struct LoopTests {
    private func copy(_ name: String, to scratch: Scratch, as new: String) -> String {
        scratch.write(Tool.bytes(Media.folder + name), new)
    }

    @Test func `the present loop is printed`() {
        let outcome = Tool.run(["loop", Media.folder + "loop-3.gif"])
        #expect(outcome.status == 0)
        #expect(outcome.text.hasSuffix("loop-3.gif: gif, plays 4 times\n"))
        let json = Tool.run(["loop", "--json", Media.folder + "loop-absent.gif"]).text
        #expect(json.contains("\"loop\": {\"raw\": null, \"plays\": 1}"))
    }

    @Test(arguments: [
        ("forever", "forever"), ("once", "once"), ("2", "2 times"), ("7", "7 times"),
    ])
    func `a new file has the requested number of plays`(word: String, text: String) {
        let scratch = Scratch()
        for name in ["counter.gif", "animation.png"] {
            let output = scratch.path("new-" + name)
            let outcome = Tool.run(["loop", Media.folder + name, "--set", word, "-o", output])
            #expect(outcome.status == 0)
            #expect(outcome.output.isEmpty)
            #expect(Tool.run(["loop", output]).text.hasSuffix("plays \(text)\n"))
            // What exists is not replaced unasked.
            let again = Tool.run(["loop", Media.folder + name, "--set", word, "-o", output])
            #expect(again.status == 73)
        }
    }

    /// The number of plays in the file is that of the report.
    @Test func `more plays than a format has are refused, those of a source reduced`() throws {
        let scratch = Scratch()
        let source = scratch.path("many.png")
        let animation = Media.folder + "animation.png"
        #expect(Tool.run(["loop", animation, "--loop", "70000", "-o", source]).status == 0)
        for (name, most, title) in [("a.gif", 65_536, "GIF"), ("a.webp", 65_535, "WebP")] {
            let output = scratch.path(name)
            let refusal = "\(title) cannot play 70000 times, \(most) is the most.\n"
            for command in ["convert", "animate"] {
                let asked = Tool.run([command, animation, "--loop", "70000", "-o", output])
                #expect(asked.status == 65 && asked.errors.hasSuffix(refusal), "\(asked.errors)")
            }
            let made = Tool.run(["convert", source, "-o", output, "--json"])
            #expect(made.text.contains("\"plays\": \(most)"), "\(made.errors)")
            #expect(made.text.contains("\"loopLost\""))
            #expect(Tool.run(["loop", output]).text.hasSuffix("plays \(most) times\n"))
            let again = Tool.run(["loop", output, "--loop", "70000", "-o", scratch.path("b")])
            #expect(again.status == 65 && again.errors.hasSuffix(refusal), "\(again.errors)")
        }
    }

    @Test func `--in-place keeps permissions and links`() {
        let scratch = Scratch()
        let path = copy("counter.gif", to: scratch, as: "a.gif")
        chmod(path, 0o640)
        symlink("a.gif", scratch.path("link.gif"))
        let outcome = Tool.run(
            [
                "loop", scratch.path("link.gif"), "--set", "3", "--speed", "2", "--in-place",
                "--json",
            ])
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("\"plays\": 3"))
        var status = stat()
        lstat(scratch.path("link.gif"), &status)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
        stat(path, &status)
        #expect(status.st_mode & 0o777 == 0o640)
        #expect(Tool.run(["loop", path]).text.hasSuffix("plays 3 times\n"))
        #expect(scratch.names().sorted() == ["a.gif", "link.gif"])
    }

    @Test func `a change of speed says how long the file is now`() throws {
        let scratch = Scratch()
        func length(_ path: String) throws -> Int? {
            try ParsedJSON.parse(Tool.run(["info", path, "--json", "--frames"]).text)["durationUs"]?
                .integer
        }
        let input = Media.folder + "counter.gif"
        for (name, factor) in [("fast.gif", "2"), ("slow.gif", "0.5")] {
            let output = scratch.path(name)
            let words = ["loop", input, "--speed", factor, "-o", output]
            let json = try ParsedJSON.parse(Tool.run(words + ["--json"]).text)
            let written = try #require(try length(output))
            #expect(json["durationUs"]?.integer == written)
            #expect(try length(input) != written)
            let text = Tool.run(words + ["--force"]).errors
            #expect(text.hasSuffix(" s long\n"), "\(text)")
        }
    }

    @Test(
        arguments: [
            ("15ms", 20_000, "every frame is shown for 20 ms, not 15 ms."),
            ("33.3ms", 30_000, "every frame is shown for 30 ms, not 33.3 ms."),
            ("20ms", 20_000, nil),
            // As browsers show it.
            ("10ms", 100_000, nil),
        ] as [(String, Int, String?)])
    func `a delay that GIF has not is the same rounded one for every frame`(
        asked: String, shown: Int, warning: String?
    ) throws {
        let scratch = Scratch()
        let output = scratch.path("a.gif")
        let made = Tool.run(
            ["loop", Media.folder + "counter.gif", "--delay", asked, "-o", output])
        #expect(made.status == 0)
        #expect(made.errors.contains("GIF has delays in steps of 10 ms") == (warning != nil))
        #expect(warning.map { made.errors.contains($0) } ?? true, "\(made.errors)")
        let frames = try ParsedJSON.parse(
            Tool.run(["info", output, "--json", "--frames"]).text
        )["frames"]?.elements
        #expect(frames?.count ?? 0 > 2)
        #expect(frames?.allSatisfy { $0["durationUs"]?.integer == shown } == true)
    }

    @Test func `several files go to a folder`() {
        let scratch = Scratch()
        let outcome = Tool.run([
            "loop", Media.folder + "counter.gif", Media.folder + "animation.png", "--set", "2",
            "-o",
            scratch.path("out"),
        ])
        #expect(outcome.status == 0)
        #expect(scratch.names("out").sorted() == ["animation.png", "counter.gif"])
    }

    @Test(arguments: [
        (["--set", "2"], 64), (["--in-place"], 64), (["--set", "0", "-o", "x"], 64),
        (["--delay", "1", "--speed", "2", "-o", "x"], 64),
        (["--set", "2", "-o", "x", "--in-place"], 64),
        (["--speed", "0", "-o", "x"], 64),
    ])
    func `contradictions are rejected`(options: [String], status: Int) {
        let outcome = Tool.run(["loop", Media.folder + "counter.gif"] + options)
        #expect(Int(outcome.status) == status)
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: [
        ("counter.gif", "a.webp", 64), ("animation.png", "a.gif", 64), ("counter.gif", "a.mp4", 64),
        ("animation.png", "a.apng", 0), ("animation.png", "a.PNG", 0), ("counter.gif", "a.new", 0),
    ])
    func `a name of another format is rejected`(name: String, output: String, status: CInt) {
        let scratch = Scratch()
        let path = scratch.path(output)
        let outcome = Tool.run(["loop", Media.folder + name, "--loop", "2", "-o", path])
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains("'lazyimg convert'") == (status != 0))
        #expect(scratch.names() == (status == 0 ? [output] : []))
    }

    @Test(arguments: [
        ("small.mp4", "mp4, plays as players decide\n"), ("cover-art.m4a", "m4a, has no loop\n"),
        ("still.jpg", "jpeg, plays once\n"),
    ])
    func `what has no loop is not said to play forever`(name: String, end: String) {
        #expect(Tool.run(["loop", Media.folder + name]).text.hasSuffix(end))
    }

    @Test func `a format without a loop is rejected, without output`() {
        let scratch = Scratch()
        for name in ["small.mp4", "still.jpg"] {
            let outcome = Tool.run(
                ["loop", Media.folder + name, "--set", "2", "-o", scratch.path("x")])
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("loop"))
        }
        #expect(scratch.names().isEmpty)
    }
}
