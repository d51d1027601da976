import ArgumentParser
import LazyKit
import LazyMedia
import LazyRenditions
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// `animate` by the files it leaves.
@Suite(.ownThreads) struct AnimateTests {
    private let scratch = Scratch()
    private static let clip = Media.path("clip.mp4")

    private func animate(_ arguments: String...) -> Tool.Outcome {
        Tool.run(["animate"] + arguments)
    }

    @Test func `the default thumbnail is a WebP of three seconds that loops`() async throws {
        let output = scratch.path("a.webp")
        let outcome = animate(Self.clip, "-o", output, "--json")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains(#""reason": "best""#))
        let made = try FrameSequence(path: output)
        let info = try await made.detailedInfo()
        #expect(info.type == .webpAnimation)
        #expect(info.size.width <= 320)
        #expect(info.frameCount == 30)
        #expect(info.duration == .seconds(3))
        #expect(info.loop.plays == nil)
    }

    @Test func `an edit is exact to the frame`() async throws {
        // Lossless, at the size of the source, so that the barcodes can be read.
        let output = scratch.path("a.png")
        let outcome = animate(
            Self.clip, "-o", output, "--start", "1", "--end", "2", "--fps", "5", "--reverse",
            "--size", "320x", "--loop", "3")
        #expect(outcome.status == 0)
        let source = try FrameSequence(path: Self.clip)
        let made = try FrameSequence(path: output)
        // Each step shows the frame of its middle.
        var times = [1.099, 1.299, 1.499, 1.699, 1.899][...]
        for try await frame in made.frames() {
            let last = times.popLast()
            let time = try #require(last)
            let shown = try await source.frame(at: .seconds(1) * time)
            #expect(frame.bitmap.barcode == shown.bitmap.barcode)
            #expect(frame.duration == .milliseconds(200))
        }
        #expect(times.isEmpty)
        #expect(made.info.loop.plays == 3)
    }

    @Test(arguments: ["40K", "12K"]) func `a file is not larger than --max-bytes`(
        _ budget: String
    ) throws {
        let output = scratch.path("a.webp")
        let outcome = animate(Self.clip, "-o", output, "--max-bytes", budget)
        #expect(outcome.status == 0)
        let most = try Words.byteCount.parse(budget)
        let count = Tool.bytes(output).count
        #expect(count <= most)
        #expect(count > most / 3)
    }

    @Test(
        arguments: [
            ["--size", "64x64^"], ["--size", "64x64!"], ["--size", "64", "--crop", "1:1"],
            ["--size", "64", "--pad", "64x64"], ["--crop", "64x64"],
        ], ["webp", "gif", "png", "mp4"])
    func `an exact size is kept with --max-bytes`(options: [String], format: String) throws {
        let output = scratch.path("a." + format)
        let budget = ["mp4": "3K", "png": "60K"][format] ?? "9K"
        let outcome = Tool.run(
            ["animate", Self.clip, "-o", output, "--max-bytes", budget, "--json"] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try ParsedJSON.parse(outcome.text)
        #expect(report["width"]?.integer == 64)
        #expect(report["height"]?.integer == 64)
        #expect(try Tool.bytes(output).count <= Words.byteCount.parse(budget))
        #expect(outcome.text.contains("Reduced to fit into"))
    }

    @Test func `an exact size that no budget fits writes no file`() {
        let outcome = animate(
            Self.clip, "-o", scratch.path("a.webp"), "--max-bytes", "400", "--size", "64x64^")
        #expect(outcome.status == 76)
        #expect(outcome.errors.contains("No thumbnail of exactly 64x64 fits into 400 bytes"))
        #expect(scratch.names() == [])
    }

    @Test func `a budget that nothing fits writes no file`() {
        let outcome = animate(Self.clip, "-o", scratch.path("a.webp"), "--max-bytes", "200")
        #expect(outcome.status == 76)
        #expect(outcome.errors.hasPrefix("lazyimg: \(Self.clip): No thumbnail fits into 200 bytes"))
        #expect(scratch.names() == [])
    }

    @Test(
        .needs("ffmpeg"), arguments: ["gif", "webp", "apng", "png", "avif", "mp4", "webm"])
    func `of one frame a still is made, which is said`(extension name: String) async throws {
        let source = "ffmpeg -v error -f lavfi -i testsrc=size=64x48 -frames:v 1 -pix_fmt"
        _ = Peer.output(
            of: "cd '\(scratch.path)' && \(source) yuv420p one.mp4 && \(source) rgb24 one.png")
        let (film, picture) = (scratch.path("one.mp4"), scratch.path("one.png"))
        for input in [film, picture] {
            let output = scratch.path("a.\(name)")
            let outcome = animate(input, "-o", output, "--force", "--max-bytes", "50K")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("does not move: it is made of one frame."))
            #expect((outcome.errors + outcome.text).contains("a.\(name): 64x48, 1 frame, "))
            let info = try await FrameSequence(path: output).detailedInfo()
            #expect(info.frameCount == 1)
            #expect(info.size == PixelSize(width: 64, height: 48))
            guard info.type.family == .video, input == picture else { continue }
            #expect(info.duration == .milliseconds(100))
        }
    }

    @Test func `a range of one frame is a still`() async throws {
        let output = scratch.path("a.webp")
        let range = ["--start", "0", "--end", "0.01"]
        let outcome = Tool.run(["animate", Self.clip, "-o", output, "--json"] + range)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains(#""type": "webp""#))
        #expect(outcome.text.contains(#""code": "still""#))
        #expect(try await FrameSequence(path: output).detailedInfo().frameCount == 1)
    }

    @Test func `existing files are kept by default`() {
        let output = scratch.path("a.gif")
        #expect(animate(Media.path("counter.gif"), "-o", output).status == 0)
        #expect(animate(Media.path("counter.gif"), "-o", output).status == 73)
        #expect(animate(Media.path("counter.gif"), "-o", output, "--force").status == 0)
    }

    @Test func `--explain prints the candidates`() {
        let outcome = animate(Self.clip, "-o", scratch.path("a.webp"), "--explain")
        #expect(outcome.text.contains(" *"))
        #expect(outcome.text.hasPrefix("   from s     to s    score"))
    }

    @Test(arguments: [
        ["--whole", "--start", "1"], ["--pieces", "2", "--start", "1"],
        ["--bounce", "--loop-seam", "none"], ["--bounce", "--crossfade", "0.5"],
        ["--crossfade", "0.5", "--loop-seam", "bounce"], ["--gravity", "smart"],
        ["--segments", "1-2", "--end", "3"], ["--segments", "2-1"], ["--speed", "0"],
        ["--lossless", "--lossy"], ["--colors", "1"], ["--quality", "101"],
        ["--colors", "16", "--format", "webp"], ["--codec", "vp9", "--format", "gif"],
        ["--max-bytes", "none"], ["--background", "#12"], ["--format", "ppm"],
        ["--start", "2", "--end", "1"],
    ]) func `invalid arguments are rejected with a sentence`(_ options: [String]) {
        let outcome = Tool.run(["animate", Self.clip, "-o", scratch.path("out")] + options)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("lazyimg: "))
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(scratch.names() == [])
    }
}
