import LazyKit
import Support
import Testing
import ToolSupport

/// The formats of `play --frames`, read by other programs.
@Suite(.ownThreads) struct FrameFormatTests {
    private let scratch = Scratch()
    private static let clip = Media.path("small.mp4")

    @Test(
        .needs("ffprobe", "ffmpeg"),
        arguments: [
            ("jpg", "mjpeg"), ("jpeg", "mjpeg"), ("webp", "webp"), ("avif", "av1"), ("png", "png"),
        ])
    func `frames are files of the format, and look like their source`(
        format: String, codec: String
    ) throws {
        let folder = scratch.path("out")
        let outcome = Tool.run([
            "play", Self.clip, "--frames", folder, "--format", format, "--max-frames", "3",
        ])
        #expect(outcome.status == 0)
        let ending = format == "jpeg" ? "jpg" : format
        #expect(
            scratch.names("out")
                == (0..<3).map { "frame-0000\($0).\(ending)" } + ["frames.json"])
        let file = folder + "/frame-00002." + ending
        let found = Peer.output(
            of:
                "ffprobe -v error -show_entries stream=codec_name,width,height -of csv=p=0 '\(file)'"
        )
        #expect(String(decoding: found, as: UTF8.self) == "\(codec),160,96\n")
        let theirs = Peer.output(
            of: "ffmpeg -v error -i '\(file)' -frames:v 1 -f rawvideo -pix_fmt rgb24 -")
        let source = Peer.output(
            of:
                "ffmpeg -v error -i '\(Self.clip)' -vf select=eq\\(n\\\\,2\\) -frames:v 1 -f rawvideo -pix_fmt rgb24 -"
        )
        #expect(theirs.count == 160 * 96 * 3 && source.count == theirs.count)
        let error = zip(theirs, source).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(error / max(1, theirs.count) < 8)
        // The list of any format is an animation again.
        let back = Tool.run(["convert", folder + "/frames.json", "-o", scratch.path("b.apng")])
        #expect(back.status == 0)
    }

    @Test(.needs("ffmpeg"), arguments: [("png", "png"), ("ppm", "ppm"), ("jpg", "mjpeg")])
    func `pictures follow each other in a pipe as ffmpeg expects them`(
        format: String, codec: String
    ) {
        let theirs = Tool.shell(
            """
            "$lazyimg" play '\(Self.clip)' --frames - --format \(format) | \
            ffmpeg -v error -f image2pipe -c:v \(codec) -i - -fps_mode passthrough -f framehash -
            """)
        let hashes = theirs.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(hashes.count == 24)
        guard format == "png" else { return }
        let raw = Tool.shell(
            """
            "$lazyimg" play '\(Self.clip)' --frames - | ffmpeg -v error -f image2pipe -c:v png -i - \
            -fps_mode passthrough -f rawvideo -pix_fmt rgba -
            """)
        let ours = Tool.run(["play", Self.clip, "--frames", "-", "--format", "raw"])
        #expect(raw.output == ours.output)
    }

    @Test(.needs("ffmpeg"), arguments: ["ppm", "jpg"])
    func `the background shows through frames as through posters`(format: String) async throws {
        let clear = scratch.path("clear.png")
        _ = Peer.output(
            of: "ffmpeg -v error -f lavfi -i color=red@0:s=16x16,format=rgba -frames:v 1 '\(clear)'"
        )
        let color = ["--background", "#2040c0"]
        let frames = ["play", clear, "--frames", "-", "--format", format]
        let blue = Tool.run(frames + color)
        #expect(blue.status == 0 && blue.output != Tool.run(frames).output)
        let poster = Tool.run(["poster", clear, "-f", format, "-o", "-"] + color)
        let (one, other) = (scratch.path("one"), scratch.path("other"))
        Tool.write(blue.output, to: one)
        Tool.write(poster.output, to: other)
        for path in [one, other] {
            let pixels = Peer.output(
                of: "ffmpeg -v error -i '\(path)' -f rawvideo -pix_fmt rgb24 -")
            #expect(pixels.count == 16 * 16 * 3)
            for (value, wanted) in zip(pixels, [0x20, 0x40, 0xc0]) {
                #expect(abs(Int(value) - wanted) <= 3)
            }
        }
        #expect(Tool.run(["play", clear] + color).status == 64)
    }

    @Test func `the pattern names the format, and a quality needs one`() {
        let outcome = Tool.run([
            "play", Self.clip, "--frames", scratch.path("out"), "--pattern", "f%03d.jpeg", "-q",
            "30",
            "--max-frames", "1",
        ])
        #expect(outcome.status == 0)
        let small = scratch["out/f000.jpeg"].count
        #expect(small > 0)
        let fine = Tool.run([
            "play", Self.clip, "--frames", scratch.path("out"), "--pattern", "f%03d.jpeg", "-q",
            "95",
            "--max-frames", "1", "--force",
        ])
        #expect(fine.status == 0)
        #expect(scratch["out/f000.jpeg"].count > small)
        let refused = Tool.run(["play", Self.clip, "--frames", scratch.path("o"), "-q", "30"])
        #expect(refused.status == 64)
    }
}
