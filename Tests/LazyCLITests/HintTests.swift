import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// Each refusal says what would be right, and has the code of who is at fault.
@Suite(.ownThreads) struct HintTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var status: CInt
        var line: String
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., status: CInt = 64, says line: String) {
            self.arguments = arguments.map {
                $0.hasPrefix("=") ? Media.path(String($0.dropFirst())) : $0
            }
            self.status = status
            self.line = line.replacing("=", with: Media.folder, maxReplacements: 1)
        }
    }

    static let refusals: [Refusal] = [
        Refusal(
            "info", "--frames", "=counter.gif", "--limit", "frames=20", status: 76,
            says:
                "=counter.gif: A sequence of 30 frames is longer than the limit of 20 frames. Allow more with '--limit frames=30' if you trust the file; see 'lazyimg help limits'."
        ),
        Refusal(
            "info", "--frames", "=animation.webp", "--limit", "frames=5", "--isolate", "always",
            status: 76,
            says:
                "=animation.webp: A sequence of 6 frames is longer than the limit of 5 frames. Allow more with '--limit frames=6' if you trust the file; see 'lazyimg help limits'."
        ),
        Refusal(
            "play", "=delays.gif", "--frames", "-", "--format", "null", "--fps", "100", "--limit",
            "frames=500", status: 76,
            says:
                "=delays.gif: At this frame rate there are 1032 frames, more than the limit of 500 frames. Allow more with '--limit frames=1.1K' if you trust the file; see 'lazyimg help limits'."
        ),
        Refusal(
            "convert", "=small.mp4", "-o", "OUT/x.mp4", "--codec", "vp9",
            says:
                "MP4 is written with h264 or av1, not with vp9. MP4 supports --codec h264 or av1, WebM vp9 or av1."
        ),
        Refusal(
            "animate", "=small.mp4", "-f", "webm", "-o", "OUT/x", "--codec", "h264",
            says:
                "WebM is written with vp9 or av1, not with h264. MP4 supports --codec h264 or av1, WebM vp9 or av1."
        ),
        Refusal(
            "convert", "=small.mp4", "-o", "OUT/x.gif", "--codec", "av1",
            says: "--codec is only for MP4 and WebM, and the output is gif."),
        Refusal(
            "convert", "=small.mp4", "-o", "OUT/x.webp", "--colors", "16",
            says:
                "--colors, --dither and --palettes are only for GIF, and the output is webp."),
        Refusal(
            "convert", "=small.mp4", "b.mp3",
            says:
                "Files with the extension .mp3 cannot be written. Use the extension .gif, .webp, .apng, .avif, .mp4, .webm, .png or .jpg, or name the format with --format."
        ),
        Refusal(
            "convert", "=still.jpg", "-o", "OUT/x.mp4", status: 65,
            says:
                "=still.jpg: A still picture has no length, which MP4 needs. A still can be written as png, jpg, webp or avif."
        ),
        Refusal(
            "loop", "=small.mp4", "--loop", "2", "-o", "OUT/x", status: 65,
            says:
                "=small.mp4: MP4 has no loop count, and its delays cannot be changed; players decide. GIF, WebP, APNG and AVIF animations have a loop; 'lazyimg convert' makes one of a video."
        ),
        Refusal(
            "loop", "=still.jpg", "--loop", "2", "-o", "OUT/x", status: 65,
            says:
                "=still.jpg: A single image (jpeg) has no loop and no delays. GIF, WebP, APNG and AVIF animations have a loop."
        ),
        Refusal(
            "loop", "=counter.gif", "--loop", "2", "--set", "2", "-o", "OUT/x",
            says: "--set is the old name of --loop: use one of them."),
        Refusal(
            "poster", "=small.mp4", "--at", "embedded", "-o", "OUT/x.png", status: 65,
            says:
                "=small.mp4: The input has no embedded picture. Omit '--at embedded' to use the best of its frames."
        ),
        Refusal(
            "animate", "=cover-art.m4a", "-o", "OUT/x.gif", status: 65,
            says:
                "=cover-art.m4a: The file has audio and cover art, and no video. Write the cover with 'lazyimg poster'."
        ),
        Refusal(
            "poster", "=small.mp4", "--at", "99", "-o", "OUT/x.png", status: 65,
            says:
                "=small.mp4: The media ends at 2.000 s, before the requested time. See 'lazyimg info --frames' for all frames."
        ),
        Refusal(
            "sheet", "=counter.gif", "--columns", "1000", "--count", "1000", "--interval", "1ms",
            "-o", "/dev/null", status: 65,
            says:
                "=counter.gif: 1000 tiles of 160 pixels are wider than a page of 16384."
        ),
    ]

    @Test(arguments: refusals)
    func `a hint names a solution`(_ refusal: Refusal) {
        let scratch = Scratch()
        let outcome = Tool.run(
            refusal.arguments.map { $0.replacing("OUT/", with: scratch.path + "/") })
        #expect(outcome.status == refusal.status)
        #expect(outcome.errors == "lazyimg: \(refusal.line)\n")
        #expect(scratch.names() == [])
    }

    @Test func `the last instant and the end are inside the clip`() {
        for instant in ["1.999", "2", "100%", "last"] {
            let outcome = Tool.run([
                "poster", Media.path("small.mp4"), "--at", instant, "-o", "-", "-f", "ppm",
            ])
            #expect(outcome.status == 0)
        }
        // A picture has no end.
        #expect(
            Tool.run(["poster", Media.path("still.jpg"), "--at", "9", "-o", "-", "-f", "ppm"])
                .status
                == 0)
    }

    @Test func `an unknown codec is named by its code`() {
        let scratch = Scratch()
        var bytes = Tool.bytes(Media.path("small.mp4"))
        let (avc, unknown) = (Array("avc1".utf8), Array("zzz1".utf8))
        // The brand in front says the same.
        for place in stride(from: bytes.count - 4, to: 64, by: -1)
        where Array(bytes[place..<place + 4]) == avc {
            bytes.replaceSubrange(place..<place + 4, with: unknown)
        }
        Tool.write(bytes, to: scratch.path("a.mp4"))
        #expect(Tool.run(["info", scratch.path("a.mp4")]).text.contains("video zzz1, 160x96"))
        let outcome = Tool.run(["poster", scratch.path("a.mp4"), "-o", scratch.path("a.png")])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("the codec zzz1."))
    }

    @Test func `messages of decoders are suppressed`() {
        let scratch = Scratch()
        var bytes = Tool.bytes(Media.path("still.avif"))
        // A unit of a type that AV1 does not have in front of the picture's own.
        if let place = (0..<bytes.count - 4).last(where: {
            Array(bytes[$0..<$0 + 4]) == Array("mdat".utf8)
        }) {
            bytes[place + 4] = 0x4A
        }
        Tool.write(bytes, to: scratch.path("a.avif"))
        let outcome = Tool.run(["poster", scratch.path("a.avif"), "-o", scratch.path("a.png")])
        #expect(outcome.status == 65)
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(outcome.errors.hasPrefix("lazyimg: "))
    }

    @Test func `an error leaves no folder`() {
        let scratch = Scratch()
        for name in ["a.gif", "a.mp4"] {
            let source = name == "a.gif" ? "counter.gif" : "small.mp4"
            Tool.write(Tool.bytes(Media.path(source)), to: scratch.path(name))
        }
        let inputs = [scratch.path("a.gif"), scratch.path("a.mp4")]
        let refused = Tool.run(["poster"] + inputs + ["-o", scratch.path("to/")])
        #expect(refused.status == 64)
        #expect(refused.errors.contains("--name '{name}-{ext}.png'"))
        #expect(scratch.names() == ["a.gif", "a.mp4"])
        let made = Tool.run(["poster", inputs[0], "-o", scratch.path("to/")])
        #expect(made.status == 0)
        #expect(scratch.names("to") == ["a.png"])
    }

    @Test func `a file changed in place is reported by its given name`() {
        let outcome = Tool.shell(
            """
            cd "$(mktemp -d)" && cp '\(Media.path("counter.gif"))' a.gif
            "$lazyimg" loop a.gif --loop 3 --in-place && "$lazyimg" loop a.gif --set 2 --in-place --json
            """)
        #expect(outcome.status == 0)
        #expect(outcome.errors.hasPrefix("a.gif: plays 3 times"))
        #expect(outcome.text.contains("\"output\": \"a.gif\""))
    }

    @Test func `a square is a box`() {
        for (size, width, height) in [("32", 32, 19), ("32^", 32, 32), ("32!", 32, 32)] {
            let outcome = Tool.run([
                "poster", Media.path("small.mp4"), "-s", size, "-o", "/dev/null", "--json",
            ])
            #expect(outcome.text.contains("\"width\": \(width)"))
            #expect(outcome.text.contains("\"height\": \(height)"))
        }
    }
}
