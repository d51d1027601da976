import Glibc
import LazyRenditions
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// The executable by its literal output and exit codes.
@Suite(.ownThreads) struct BinaryTests {
    private static let gif = Media.path("delays.gif")

    struct Refusal: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var status: CInt
        var line: String
        var testDescription: String { arguments.joined(separator: " ") }
        init(_ arguments: String..., status: CInt = 64, says line: String) {
            self.arguments = arguments.map { $0 == "GIF" ? BinaryTests.gif : $0 }
            self.status = status
            self.line = line
        }
    }

    static let refusals: [Refusal] = [
        Refusal(
            "play", says: "Missing expected argument '<input> ...'. See 'lazyimg play --help'."),
        Refusal(
            "thumb", says: "Missing expected argument '<input> ...'. See 'lazyimg poster --help'."),
        Refusal("walk", says: "There is no command 'lazyimg walk'. See 'lazyimg --help'."),
        Refusal(
            "play", "GIF", "--frmes", "x",
            says: "Unknown option '--frmes'. Did you mean '--frames'? See 'lazyimg play --help'."),
        Refusal(
            "play", "GIF", "--start", "soon",
            says:
                "The value 'soon' is invalid for '--start <time>': \(Words.time.expected), a frame as #120 or a chapter as chapter:3. See 'lazyimg play --help'."
        ),
        Refusal("play", "GIF", "--every", "2", says: "--every needs --frames DIR."),
        Refusal(
            "play", "GIF", "--frames", "-", "--cells", "8x2",
            says: "--cells needs a terminal and cannot be combined with --frames."),
        Refusal(
            "play", "GIF", "--frames", "-", "--format", "avif",
            says:
                "AVIF files need a folder, and --frames - writes a stream. Add --format png, jpg, webp, raw, y4m, ppm, framehash or null."
        ),
        Refusal("play", "GIF", "--frames", "", says: "--frames needs the name of a folder."),
        Refusal(
            "play", "GIF", "--frames", "x", "--format", "null",
            says: "--format null writes no files of frames. Use --frames - with it."),
        Refusal(
            "play", "GIF", "--frames", "-", "--format", "raw", "--hash",
            says: "--hash needs files and cannot be combined with --frames -."),
        Refusal(
            "play", "GIF", "--frames", "-", "--format", "raw", "--fps", "5", "--every", "2",
            says: "--fps cannot be combined with --every."),
        Refusal(
            "play", "GIF", "--frames", "-", "--format", "raw", "--start", "2", "--end", "1",
            says: "The end is not after the start: the range is empty."),
        Refusal(
            "play", "GIF", "--frames", "-", "--format", "raw", "--size", "5x5", "--width", "2",
            says: "--size cannot be combined with --width or --height."),
        Refusal(
            "play", "GIF", "--frames", "x", "--pattern", "same.png",
            says: "The pattern gives all frames the same name. Add %05d or {index} to it."),
        Refusal(
            "play", "GIF", "--frames", "x", "--pattern", "%d.bmp",
            says:
                "The pattern ends in .bmp, which cannot be written. Use the extension .png, .jpg, .webp, .avif, .ppm or .raw, or name the format with --format."
        ),
        Refusal(
            "play", "GIF", "GIF", "--frames", "x",
            says: "Two inputs would write files of the same name. Add {input} to --pattern."),
        Refusal(
            "info", "https:///a.gif", says: "The URL is malformed: https:///a.gif."
        ),
        Refusal(
            "poster", "GIF", "-o", "a.bmp",
            says:
                "Files with the extension .bmp cannot be written. Use the extension .png, .jpg, .webp, .avif, .ppm or .raw, or name the format with --format."
        ),
        Refusal(
            "poster", "data:,x",
            says: "There is no file name for the poster of data:,x…. Name one with -o."),
        Refusal(
            "info", "/nowhere/a.gif", status: 66,
            says: "Cannot open /nowhere/a.gif: No such file or directory. Check the path."),
        Refusal(
            "info", "/usr", status: 66,
            says:
                "/usr is a folder. Read the media in it with --recursive (-r)."
        ),
        Refusal(
            "play", "/etc/passwd", "--frames", "-", "--format", "framehash", status: 65,
            says:
                "/etc/passwd: The input is not media that lazyimg knows. See 'lazyimg formats' for readable formats."
        ),
        Refusal(
            "play", "data:image/gif,GIF89a", "--frames", "-", "--format", "raw", status: 65,
            says: "data:image/gif,GIF89a…: The GIF has no whole screen descriptor."),
        Refusal(
            "play", "GIF", "--frames", "/etc/passwd/out", status: 73,
            says: "Cannot create /etc/passwd/out: Not a directory."),
        Refusal(
            "poster", "GIF", "-o", "/nowhere/p.png", status: 73,
            says: "Cannot create /nowhere/p.png: No such file or directory."),
        Refusal(
            "play", "GIF", "--frames", "-", "--format", "raw", "--start", "99", status: 65,
            says:
                "\(gif): The requested range contains no frame. See 'lazyimg info --frames' for all frames."
        ),
    ]

    @Test(arguments: refusals) func `an error is one line and an exit code`(refusal: Refusal) {
        let outcome = Tool.run(refusal.arguments)
        #expect(outcome.errors == "lazyimg: \(refusal.line)\n")
        #expect(outcome.status == refusal.status)
        #expect(outcome.output == [])
    }

    @Test func `messages of libraries about a damaged file are suppressed`() {
        let scratch = Scratch()
        // libjxl says of this header that it skips an extension.
        let head: [UInt8] = [
            0xFF, 0x0A, 0xBB, 0x31, 0x12, 0x45, 0xFD, 0x6F, 0x84, 0xDF, 0x9A, 0xD7,
        ]
        Tool.write(head + head, to: scratch.path("damaged.jxl"))
        let outcome = Tool.run(["info", scratch.path("damaged.jxl")])
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("lazyimg: \(scratch.path("damaged.jxl")): The JPEG XL"))
        #expect(outcome.errors.count { $0 == "\n" } == 1)
    }

    @Test func `errors are objects with --json`() {
        let outcome = Tool.run(["info", "--json", "/nowhere/a.gif"])
        #expect(
            outcome.errors
                == #"{"error": {"code": "missing", "message": "Cannot open /nowhere/a.gif: No such file or directory.", "hint": "Check the path.", "input": "/nowhere/a.gif", "exitCode": 66}}"#
                + "\n")
        #expect(outcome.status == 66)
        for words in [
            ["play", "--json"], ["play", "a", "--json", "--no-such"], ["walk", "--json"],
        ] {
            #expect(Tool.run(words).errors.hasPrefix(#"{"error": {"code": "usage""#), "\(words)")
        }
        #expect(Tool.run(["play", "--", "--json", "/nowhere"]).errors.hasPrefix("lazyimg: "))
    }

    @Test func `the version is one line`() {
        for flag in ["--version", "-V"] {
            let outcome = Tool.run([flag])
            #expect(outcome.text == Version.line)
            #expect(outcome.status == 0)
        }
        #expect(Tool.run(["--version"], output: "/dev/full").status == 74)
    }

    @Test func `help goes to standard output`() {
        for command in ["play", "poster", "info", "formats", "doctor"] {
            let outcome = Tool.run([command, "--help"])
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            #expect(outcome.text.contains("USAGE: lazyimg \(command)"))
        }
        #expect(Tool.run(["--help"]).text.contains("Exit codes: 0 done"))
        #expect(Tool.run(["--help"], output: "/dev/full").status == 74)
    }

    @Test func `formats and doctor list encoders`() throws {
        let formats = Tool.run(["formats"]).text
        let writes = formats.firstRange(of: "writes\n").map { formats[$0.upperBound...] } ?? ""
        for name in ["gif", "webp-animation", "apng", "avif-sequence", "mp4", "webm"] {
            #expect(writes.contains("  \(name) "))
        }
        let json = try ParsedJSON.parse(Tool.run(["doctor", "--json"]).text)
        #expect(json["facts"]?["cores"]?.integer ?? 0 > 0)
        let doctor = Tool.run(["doctor"]).text
        for name in ["libwebp", "libavif", "encoders of FFmpeg", "libx264", "libvpx-vp9"] {
            #expect(doctor.contains(name))
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `completions name the commands`(shell: String) {
        let outcome = Tool.run(["--generate-completion-script", shell])
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("poster"))
        #expect(outcome.text.contains("framehash"))
    }

    @Test(arguments: ["raw", "framehash", "ppm"])
    func `a full output is an error`(
        format: String
    ) {
        let outcome = Tool.run(
            ["play", Self.gif, "--frames", "-", "--format", format], output: "/dev/full")
        #expect(outcome.status == 74)
        #expect(
            outcome.errors == "lazyimg: Cannot write standard output: No space left on device.\n")
    }

    @Test func `a closed output is an error`() {
        let outcome = Tool.shell("\"$lazyimg\" info '\(Self.gif)' >&-")
        #expect(outcome.status == 74)
        #expect(outcome.errors == "lazyimg: Cannot write standard output: Bad file descriptor.\n")
        #expect(Tool.shell("\"$lazyimg\" info '\(Self.gif)' >&- 2>&-").status == 74)
    }

    @Test func `a closed pipe ends the work without a message`() {
        let clip = Media.path("clip.mp4")
        let outcome = Tool.shell(
            "( \"$lazyimg\" play '\(clip)' --frames - --format raw; echo $? >&2 ) | head -c 100 | wc -c"
        )
        #expect(outcome.text == "100\n")
        #expect(outcome.errors == "0\n")
    }

    @Test func `some of several inputs may fail`() {
        let outcome = Tool.run(["info", Self.gif, "/nowhere/a.gif", "--json"])
        #expect(outcome.status == 1)
        #expect(
            outcome.text.hasPrefix(
                "[\n  {\n    \"input\": \"\(Self.gif)\",\n    \"type\": \"gif\","))
        #expect(outcome.text.contains(#"{"error": {"code": "missing""#))
        #expect(outcome.errors.hasPrefix(#"{"error": {"code": "missing""#))
        let text = Tool.run(["info", "/nowhere/a.gif", Self.gif])
        #expect(text.status == 1)
        #expect(text.text.hasPrefix(Self.gif))
        #expect(
            text.errors
                == "lazyimg: Cannot open /nowhere/a.gif: No such file or directory. Check the path.\n"
        )
    }

    // The answers say what the input was called, and for the rest are the same.
    private static func facts(_ outcome: Tool.Outcome) -> [Substring] {
        outcome.text.split(separator: "\n").filter { !$0.hasPrefix("  \"input\": ") }
    }

    @Test func `media comes in by a path, a pipe and URLs alike`() {
        let path = Tool.run(["info", "--json", "--frames", Self.gif])
        #expect(path.status == 0)
        let expected = Self.facts(path)
        #expect(expected.count == path.text.split(separator: "\n").count - 1)
        let words = ["info", "--json", "--frames"]
        #expect(Self.facts(Tool.run(words + ["-"], input: Self.gif)) == expected)
        #expect(Self.facts(Tool.run(words + ["file://" + Self.gif])) == expected)
        let piped = Tool.shell("cat '\(Self.gif)' | \"$lazyimg\" info --json --frames -")
        #expect(Self.facts(piped) == expected)
        let hex = Tool.bytes(Self.gif).map { "%" + String(String($0, radix: 16).padded(to: 2)) }
        #expect(Self.facts(Tool.run(words + ["data:," + hex.joined()])) == expected)
    }

    @Test func `the duration printed with frames is their sum`() {
        let outcome = Tool.run(["info", "--json", "--frames", Media.path("vfr.mp4")])
        #expect(outcome.text.contains("\"durationUs\": 2682000,\n"))
        #expect(outcome.text.contains(#""ptsUs": 2507000, "durationUs": 175000,"#))
    }

    @Test func `info is exact as text and as JSON`() {
        let media = Media.path("loop-3.gif")
        #expect(
            Tool.run(["info", media]).text == """
                \(media)
                  type       gif (image/gif), gif
                  size       16x16
                  frames     3
                  duration   0.300 s, 10.00 frames per second
                  plays      4 times
                  alpha      no
                  file size  165 B
                  stream 0   video gif, 16x16, shown

                """)
        #expect(
            Tool.run(["probe", "--json", "--frames", media]).text == """
                {
                  "input": "\(media)",
                  "type": "gif",
                  "codec": "gif",
                  "width": 16,
                  "height": 16,
                  "frameCount": 3,
                  "durationUs": 300000,
                  "startUs": 0,
                  "loop": {"raw": 3, "plays": 4},
                  "hasAlpha": false,
                  "rotation": 0,
                  "pixelAspect": "1:1",
                  "color": {"primaries": "unknown", "transfer": "unknown", "matrix": "unknown", "range": null, "hdr": null},
                  "bitDepth": null,
                  "pixelFormat": null,
                  "fieldOrder": "progressive",
                  "bitRate": null,
                  "title": null,
                  "artist": null,
                  "album": null,
                  "date": null,
                  "copyright": null,
                  "comment": null,
                  "location": null,
                  "device": null,
                  "byteCount": 165,
                  "truncated": false,
                  "warnings": [],
                  "streams": [
                    {"index": 0, "kind": "video", "codec": "gif", "width": 16, "height": 16, "chosen": true, "language": null, "title": null, "default": false, "forced": false, "subtitles": null}
                  ],
                  "chapters": [],
                  "motion": null,
                  "frames": [
                    {"index": 0, "ptsUs": 0, "durationUs": 100000, "rawDurationUs": 100000, "key": true},
                    {"index": 1, "ptsUs": 100000, "durationUs": 100000, "rawDurationUs": 100000, "key": true},
                    {"index": 2, "ptsUs": 200000, "durationUs": 100000, "rawDurationUs": 100000, "key": true}
                  ]
                }

                """)
    }
}
