import Glibc
import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// `convert` and `sheet` as users run them.
@Suite(.ownThreads) struct ConvertCommandTests {
    private static let gif = Media.path("delays.gif")

    struct Refusal: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var status: CInt
        var line: String
        var testDescription: String { arguments.joined(separator: " ") }
        init(_ arguments: String..., status: CInt = 64, says line: String) {
            self.arguments = arguments.map { $0 == "GIF" ? ConvertCommandTests.gif : $0 }
            self.status = status
            self.line = line
        }
    }

    static let refusals: [Refusal] = [
        Refusal(
            "convert", "GIF",
            says:
                "The output format is missing. Name one with --format, or a file with -o."),
        Refusal(
            "convert", "GIF", "GIF", status: 73,
            says:
                "\(gif) exists already. Replace it with --force, or name a folder with -o to make an output of each name."
        ),
        Refusal(
            "convert", "GIF", "-o", "a.bmp",
            says:
                "Files with the extension .bmp cannot be written. Use the extension .gif, .webp, .apng, .avif, .mp4, .webm, .png or .jpg, or name the format with --format."
        ),
        Refusal(
            "convert", "GIF", "-f", "ppm",
            says:
                "A conversion cannot be written as ppm. The formats are gif, webp, apng, avif, mp4, webm, png, jpg."
        ),
        Refusal(
            "convert", "GIF", "-f", "gif",
            says:
                "The conversion of \(gif) would replace its input. Name another file with -o."
        ),
        Refusal(
            "convert", "GIF", "-f", "png", "-o", "/dev/null", status: 65,
            says:
                "\(gif): PNG holds one picture, and this is an animation of 5 frames. Select an image with 'lazyimg poster', use the first with '--still', or write all with '--format apng'."
        ),
        Refusal(
            "convert", "GIF", "-f", "apng", "-o", "/nowhere/a.apng", status: 73,
            says: "Cannot create /nowhere/a.apng: No such file or directory."),
        Refusal(
            "convert", "/nowhere/a.gif", "-f", "apng", "-o", "/dev/null", status: 66,
            says: "Cannot open /nowhere/a.gif: No such file or directory. Check the path."),
        Refusal(
            "convert", "GIF", "-f", "apng", "--allow-larger", "-o", "/dev/full", status: 74,
            says: "Cannot write /dev/full: No space left on device."),
        Refusal(
            "sheet", "GIF", "-o", "a.gif",
            says:
                "A sheet cannot be written as .gif. Use the extension .png, .jpg, .webp or .avif, or name the format with --format."
        ),
        Refusal("sheet", "GIF", "--interval", "0", says: "--interval must be above 0."),
        Refusal(
            "sheet", "GIF", "--columns", "1000", "--count", "1000", "--interval", "1ms", "-o",
            "/dev/null", status: 65,
            says:
                "\(gif): 1000 tiles of 160 pixels are wider than a page of 16384."
        ),
        Refusal(
            "sheet", "GIF", "-o", "/dev/full", status: 74,
            says: "Cannot write /dev/full: No space left on device."),
    ]

    @Test(arguments: [
        ["poster"], ["animate"], ["convert"], ["frames", "--at", "first"], ["sheet"],
    ])
    func `a quality has an effect on flat art as WebP`(command: [String]) {
        let counts = ["10", "90"].map { quality in
            let scratch = Scratch()
            let output = scratch.path("a.webp")
            let made = Tool.run(
                command + [Media.path("counter.gif"), "-o", output, "-q", quality])
            #expect(made.status == 0, "\(made.errors)")
            return Tool.bytes(output).count
        }
        #expect(counts[0] < counts[1] && counts[0] > 0)
    }

    @Test(arguments: ["mp4", "webm"], ["convert", "animate"])
    func `the reported size of a film is that of the file`(ending: String, command: String) throws {
        let scratch = Scratch()
        let output = scratch.path("a." + ending)
        let made = Tool.run([command, Media.path("odd.mp4"), "-o", output, "--json", "-W", "63"])
        #expect(made.status == 0, "\(made.errors)")
        let (report, facts) = (
            try ParsedJSON.parse(made.text),
            try ParsedJSON.parse(Tool.run(["info", output, "--json"]).text)
        )
        for side in ["width", "height"] {
            #expect(report[side]?.integer == facts[side]?.integer && facts[side]?.integer != nil)
        }
    }

    @Test(arguments: refusals)
    func `an error is one line and an exit code`(_ refusal: Refusal) {
        let outcome = Tool.run(refusal.arguments)
        #expect(outcome.status == refusal.status)
        #expect(outcome.errors == "lazyimg: \(refusal.line)\n")
        #expect(outcome.output == [])
    }

    @Test(arguments: [
        ("a.webp", 20_000, "WebP", 16_383, "png, jpg or avif"),
        ("a.jpg", 70_000, "JPEG", 65_500, "png"),
    ])
    func `a picture that a format has no room for is refused, with those that have`(
        name: String, width: Int, title: String, most: Int, others: String
    ) throws {
        let scratch = Scratch()
        let wide = try Bitmap(size: PixelSize(width: width, height: 2), isOpaque: true) {
            $0.initializeMemory(as: UInt8.self, repeating: 255)
        }
        let source = scratch.path("wide.png")
        Tool.write(try wide.pngData(), to: source)
        let outcome = Tool.run(["convert", source, "-o", scratch.path(name)])
        #expect(outcome.status == 65)
        #expect(
            outcome.errors
                == "lazyimg: \(source): \(title) has no room for frames of \(width)x2; the longest side is \(most). A still can be written as \(others).\n"
        )
    }

    @Test func `a larger file is not written without --allow-larger`() {
        let scratch = Scratch()
        let (source, target) = (scratch.path("source.webp"), scratch.path("a.webp"))
        #expect(
            Tool.run(["convert", Media.path("small.mp4"), "-o", source, "-q", "10"]).status == 0)
        let refused = Tool.run(["convert", source, "-o", target, "--lossless"])
        #expect(refused.status == 73)
        #expect(refused.errors.contains("would be larger than"))
        #expect(scratch.names() == ["source.webp"])
        let piped = Tool.run(["convert", source, "-f", "webp", "--lossless", "-o", "-"])
        #expect(piped.status == 73 && piped.output == [])
        for more in [["--allow-larger"], ["--force"]] {
            let wanted = Tool.run(
                ["convert", source, "-o", target, "--lossless", "--overwrite", "always"] + more)
            #expect(wanted.status == 0)
            #expect(wanted.errors.contains(" → \(target) "))
            #expect(wanted.errors.contains("24 frames"))
        }
        let sized = Tool.run(
            ["convert", source, "-f", "webp", "--lossless", "-o", "-", "--width", "40"])
        #expect(sized.status == 0 && !sized.output.isEmpty)
        // Who asks for another format gets it.
        let other = Tool.run(["convert", Self.gif, "-o", scratch.path("a.apng")])
        #expect(other.status == 0, "\(other.errors)")
        #expect(Tool.bytes(scratch.path("a.apng")).count > Tool.bytes(Self.gif).count)
    }

    @Test func `an existing file is kept`() {
        let scratch = Scratch()
        Tool.write([1], to: scratch.path("a.apng"))
        let outcome = Tool.run(["convert", Self.gif, "-o", scratch.path("a.apng")])
        #expect(outcome.status == 73)
        #expect(outcome.errors.contains("exists already"))
        #expect(Tool.bytes(scratch.path("a.apng")) == [1])
    }

    @Test(arguments: [
        ("convert", "a.webp"), ("animate", "a.gif"), ("poster", "a.jpg"), ("sheet", "a.png"),
    ])
    func `a second name that is new is the output`(command: String, name: String) {
        let scratch = Scratch()
        let source = scratch.path("source.gif")
        Tool.write(Tool.bytes(Self.gif), to: source)
        let arguments = [command, source, scratch.path(name)]
        #expect(Tool.run(arguments + ["--width", "12"]).status == 0)
        let bytes = Tool.bytes(scratch.path(name))
        #expect(!bytes.isEmpty)
        // What is there already is not written to, unless that is asked for.
        #expect(Tool.run(arguments + ["--width", "8"]).status == 73)
        #expect(Tool.bytes(scratch.path(name)) == bytes)
        #expect(Tool.run(arguments + ["--width", "8", "--overwrite", "always"]).status == 0)
        #expect(Tool.bytes(scratch.path(name)) != bytes)
        #expect(Tool.bytes(source) == Tool.bytes(Self.gif))
        // Neither a third name nor one that is no picture's is taken for an output.
        let format = ["-f", command == "convert" ? "apng" : "webp"]
        for more in [scratch.path("b.webp"), scratch.path("notes.txt")] {
            let outcome = Tool.run([command, source] + [more, more + "2"] + format)
            #expect(outcome.status != 0)
        }
        #expect(Tool.run([command, source, scratch.path("notes.txt")]).status != 0)
        #expect(!scratch.names().contains { $0.hasPrefix("b.") || $0.hasPrefix("notes") })
    }

    @Test func `several inputs go to a folder, and one does not stop the others`() {
        let scratch = Scratch()
        Tool.write(Array("GIF89a".utf8), to: scratch.path("broken.gif"))
        let outcome = Tool.run([
            "convert", Self.gif, scratch.path("broken.gif"), Media.path("loop-3.gif"), "-f",
            "apng", "-o", scratch.path("out"), "--force", "--json",
        ])
        #expect(outcome.status == 1)
        #expect(scratch.names("out") == ["delays.apng", "loop-3.apng"])
        #expect(outcome.text.contains("\"plays\": 4"))
        #expect(outcome.text.contains("\"code\": \"truncated\""))
    }

    @Test func `choices are explained also where the result is refused`() {
        let scratch = Scratch()
        let gif = Media.path("small.mp4")
        let refused = Tool.run([
            "convert", gif, "-o", scratch.path("a.mp4"), "--explain", "-q", "100",
        ])
        #expect(refused.status == 73, "\(refused.errors)")
        #expect(refused.text.contains("mp4-h264, 160x96"), "\(refused.text)")
        let animated = Tool.run([
            "animate", gif, "-o", scratch.path("a.gif"), "--explain", "--max-bytes", "100",
        ])
        #expect(animated.status == 76, "\(animated.errors)")
        #expect(animated.text.contains("used completely"), "\(animated.text)")
    }

    @Test func `choices are explained`() {
        let outcome = Tool.run([
            "convert", Self.gif, "-f", "apng", "-o", "/dev/null", "--force", "--explain",
        ])
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("lossless: yes, APNG always is\n"))
    }

    @Test func `a sheet appears with its tables, or not at all`() {
        let scratch = Scratch()
        let sheet = ["sheet", Media.path("clip.mp4"), "-o", scratch.path("a b.png")]
        #expect(Tool.run(sheet + ["--count", "6"]).status == 0)
        #expect(scratch.names() == ["a b.json", "a b.png", "a b.vtt"])
        #expect(scratch.text("a b.vtt").hasPrefix("WEBVTT\n\n00:00:00.000 --> "))
        #expect(scratch.text("a b.vtt").contains("\na%20b.png#xywh=0,0,160,"))
        #expect(scratch.text("a b.json").contains("{\"file\": \"a b.png\", \"width\": 960"))
        // A table that is there keeps the page away too.
        unlink(scratch.path("a b.png"))
        let again = Tool.run(sheet)
        #expect(again.status == 73)
        #expect(scratch.names() == ["a b.json", "a b.vtt"])
    }

    @Test func `pages are numbered, and named in the tables`() {
        let scratch = Scratch()
        let outcome = Tool.run([
            "sheet", Media.path("clip.mp4"), "-o", scratch.path("s.jpg"), "--interval", "200ms",
            "--columns", "3", "--rows", "2", "--url-prefix", "https://cdn.example/x/", "--json",
        ])
        #expect(outcome.status == 0)
        let pages = scratch.names().filter { $0.hasSuffix(".jpg") }
        #expect(pages.count > 1)
        #expect(pages.first == "s-01.jpg")
        #expect(scratch.text("s.vtt").contains("\nhttps://cdn.example/x/s-02.jpg#xywh="))
        #expect(outcome.text.contains("\"pageCount\": \(pages.count)"))
        let piped = Tool.run([
            "sheet", Media.path("clip.mp4"), "-o", "-", "--interval", "200ms", "--rows", "1",
        ])
        #expect(piped.status == 64)
        #expect(piped.errors.contains("cannot go to standard output"))
    }

    @Test func `several inputs of one file are joined, and of a picture refused`() {
        let scratch = Scratch()
        let inputs = [Self.gif, Media.path("loop-3.gif")]
        let joined = Tool.run(["animate"] + inputs + ["-o", scratch.path("x.webp")])
        #expect(joined.status == 0 && scratch.names() == ["x.webp"], "\(joined.errors)")
        let poster = Tool.run(["poster"] + inputs + ["-o", scratch.path("x.png")])
        #expect(poster.status == 64)
        #expect(poster.errors.contains("Several inputs cannot be written to one file"))
        #expect(scratch.names() == ["x.webp"])
    }

    @Test func `a page can be piped`() {
        let outcome = Tool.run(["sheet", Self.gif, "-o", "-", "-f", "png"])
        #expect(outcome.status == 0)
        #expect(outcome.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func `a signal during the work leaves no file`() {
        let scratch = Scratch()
        let process = Tool.start([
            "convert", Media.path("clip.mp4"), "-o", scratch.path("a.apng"), "--force", "--bounce",
            "--effort", "10", "--width", "2000",
        ])
        kill(process, SIGTERM)
        let status = Tool.wait(for: process)
        #expect(status == 143)
        #expect(scratch.names() == [])
    }
}
