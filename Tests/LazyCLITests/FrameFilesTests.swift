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

/// `play --frames` and `poster` by the files they leave.
@Suite(.ownThreads) struct FrameFilesTests {
    private let scratch = Scratch()
    private static let gif = Media.path("delays.gif")

    private func play(_ arguments: String...) -> Tool.Outcome {
        Tool.run(["play", "--frames", scratch.path("out")] + arguments)
    }

    @Test func `every frame becomes a PNG, and a list has its time`() async throws {
        let outcome = play(Self.gif)
        #expect(outcome.status == 0)
        #expect(outcome.text == "")
        #expect(
            outcome.errors
                == "\(Self.gif): 5 frames of 16x16, the last is \(scratch.path("out"))/frame-00004.png\n"
        )
        #expect(
            scratch.names("out")
                == (0..<5).map { "frame-0000\($0).png" } + ["frames.json"])
        let list = scratch.text("out/frames.json")
        #expect(list.hasPrefix("{\n  \"source\": \"\(Self.gif)\",\n  \"type\": \"gif\","))
        #expect(list.contains(#""file": "frame-00004.png"}"#))
        #expect(!list.contains("sha256"))
        let source = try FrameSequence(path: Self.gif)
        for index in 0..<5 {
            let file = try FrameSequence(path: scratch.path("out/frame-0000\(index).png"))
            #expect(try await file.frame(0).bitmap == source.frame(index).bitmap)
        }
    }

    @Test func `the values of a file of more than 8 bits become PNG of 16`() async throws {
        let source = Media.path("hdr.avif")
        #expect(play(source, "--color", "keep").status == 0)
        let file = scratch["out/frame-00000.png"]
        #expect(file[24] == 16)
        let sequence = try FrameSequence(path: source).rendered(color: .source, samples: .sixteen)
        let deep = try #require(try await sequence.frame(0).deep)
        let written = try FrameSequence(opening: MemoryBytes(file), registry: .standard)
        #expect(written.info.color.primaries == .bt2020 && written.info.color.transfer == .pq)
        let back = try await written.rendered(color: .source, samples: .sixteen).frame(0)
        let isSame = back.deep == deep
        #expect(isSame)
        // Other formats have the same values in 8 bits.
        let raw = Tool.run([
            "play", source, "--frames", "-", "--format", "raw", "--color", "keep",
        ])
        let isRounded = try deep.bitmap().withBytes { raw.output.elementsEqual($0) }
        #expect(isRounded)
        // In sRGB, and of a source of 8 bits, files have 8.
        #expect(play(source, "--force").status == 0)
        #expect(scratch["out/frame-00000.png"][24] == 8)
        #expect(play(Media.path("still.avif"), "--force", "--color", "keep").status == 0)
        #expect(scratch["out/frame-00000.png"][24] == 8)
    }

    @Test func `existing files are kept by default`() {
        #expect(play(Self.gif).status == 0)
        let again = play(Self.gif)
        #expect(again.status == 73)
        #expect(
            again.errors
                == "lazyimg: \(scratch.path("out"))/frames.json exists already. Replace it with '--overwrite always'.\n"
        )
        unlink(scratch.path("out/frames.json"))
        let frames = play(Self.gif, "--jobs", "1")
        #expect(frames.status == 73)
        #expect(
            frames.errors.hasPrefix(
                "lazyimg: \(scratch.path("out"))/frame-00000.png exists already."))
        #expect(play(Self.gif, "--overwrite", "always", "--quiet").errors == "")
        #expect(play(Self.gif, "--force").status == 0)
        #expect(scratch.names("out").count == 6)
    }

    @Test func `fewer frames with --force remove only those that the list names`() {
        #expect(play(Self.gif).status == 0)
        Tool.write([1], to: scratch.path("out/frame-00009.png"))
        Tool.write([1], to: scratch.path("out/mine.txt"))
        #expect(play(Self.gif, "--force", "--max-frames", "2").status == 0)
        #expect(
            scratch.names("out")
                == [
                    "frame-00000.png", "frame-00001.png", "frame-00009.png", "frames.json",
                    "mine.txt",
                ])
        // A list that somebody else wrote leads nowhere else.
        Tool.write([1], to: scratch.path("other.png"))
        let list = #"{"frames": [{"file": "../other.png"}, {"file": "mine.txt"}]}"#
        Tool.write(Array(list.utf8), to: scratch.path("out/frames.json"))
        #expect(play(Self.gif, "--force", "--max-frames", "1").status == 0)
        #expect(scratch.names().contains("other.png"))
        #expect(!scratch.names("out").contains("mine.txt"))
    }

    @Test func `hashes in the list are those of framehash`() {
        #expect(play(Self.gif, "--hash", "--format", "raw").status == 0)
        let lines = Tool.run(["play", Self.gif, "--frames", "-", "--format", "framehash"]).text
        let rows = lines.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(rows.count == 5)
        let list = scratch.text("out/frames.json")
        for row in rows {
            let hash = row.split(separator: " ").last ?? ""
            #expect(hash.count == 64)
            #expect(list.contains(#""sha256": "\#(hash)"}"#))
        }
    }

    @Test func `framehash is the same for any number of workers, and as a file`() {
        let clip = Media.path("counter.gif")
        let hashes = ["play", clip, "--frames", "-", "--format", "framehash", "--jobs"]
        let one = Tool.run(hashes + ["1"])
        #expect(one.text.hasPrefix("# lazyimg framehash 1\n"))
        #expect(Tool.run(hashes + ["7"]).output == one.output)
        #expect(play(clip, "--format", "framehash").status == 0)
        #expect(scratch.names("out") == ["frames.framehash"])
        #expect(scratch.text("out/frames.framehash") == one.text)
    }

    @Test func `raw output has no padding, as files and as a stream`() {
        let stream = Tool.run(["play", Self.gif, "--frames", "-", "--format", "raw", "--jobs", "5"])
        #expect(stream.output.count == 5 * 16 * 16 * 4)
        #expect(play(Self.gif, "--pattern", "{index:02}.raw").status == 0)
        let files = (0..<5).flatMap { Tool.bytes(scratch.path("out/0\($0).raw")) }
        #expect(files == stream.output)
    }

    @Test func `several inputs have different names`() {
        #expect(play(Self.gif, Media.path("loop-0.gif"), "--max-frames", "1", "--json").status == 0)
        #expect(
            scratch.names("out") == [
                "delays-00000.png", "delays-frames.json", "loop-0-00000.png", "loop-0-frames.json",
            ])
    }

    @Test func `sizes and numbers follow the options`() throws {
        #expect(
            play(
                Media.path("counter.gif"), "--size", "20x20^", "--fps", "10", "--start", "0.2",
                "--duration",
                "0.3", "--start-number", "7", "--format", "ppm"
            ).status == 0)
        #expect(
            scratch.names("out") == [
                "frame-00007.ppm", "frame-00008.ppm", "frame-00009.ppm", "frames.json",
            ])
        #expect(Tool.bytes(scratch.path("out/frame-00007.ppm")).count == 13 + 20 * 20 * 3)
    }

    @Test(arguments: ["vfr.mp4", "vfr.mkv", "small.mp4", "counter.gif"])
    func `--max-frames 1 writes the first frame`(clip: String) {
        let hashes = ["play", Media.path(clip), "--frames", "-", "-f", "framehash"]
        let all = Tool.run(hashes + ["--start", "1"]).text.split(separator: "\n")
        let one = Tool.run(hashes + ["--start", "1", "--max-frames", "1"]).text
        #expect(all.count > 4)
        #expect(one.split(separator: "\n") == Array(all.prefix(4)))
    }

    @Test(arguments: ["small.mp4", "theora.ogv", "hevc.mp4", "vfr.mkv", "counter.gif"])
    func `keyframes are written with their own times, with any number of workers`(clip: String) {
        let media = Media.path(clip)
        let hashes = ["play", media, "--frames", "-", "-f", "framehash"]
        let all = Tool.run(hashes).text.split(separator: "\n")
        let info = Tool.run(["info", "--json", "--frames", media]).text.split(separator: "\n")
        let keys = info.filter { $0.contains("\"ptsUs\"") }.map { $0.contains("\"key\": true") }
        let wanted = all.prefix(3) + zip(all.dropFirst(3), keys).filter(\.1).map(\.0)
        for jobs in ["1", "3"] {
            let outcome = Tool.run(hashes + ["--keyframes", "--jobs", jobs])
            #expect(outcome.text.split(separator: "\n") == Array(wanted))
            #expect(outcome.errors == "")
        }
    }

    @Test func `files of a killed run do not stop the next one`() throws {
        let folder = OutputFolder(scratch.path)
        for number in 1...3 {
            Tool.write([1], to: scratch.path(".a.lazyimg-\(getpid())-\(number)"))
        }
        Tool.write([1], to: scratch.path("a"))
        try folder.write("whole", to: "a", .always)
        #expect(scratch.text("a") == "whole")
        #expect(scratch.names().count == 4)
    }

    @Test func `damage keeps the frames before it and is reported in one line`() throws {
        let whole = Tool.bytes(Media.path("counter.gif"))
        Tool.write(Array(whole[..<(whole.count * 2 / 3)]), to: scratch.path("cut.gif"))
        let outcome = Tool.run([
            "play", scratch.path("cut.gif"), "--frames", "-", "--format", "framehash",
        ])
        #expect(outcome.status == 0)
        #expect(outcome.text.split(separator: "\n").count > 6)
        #expect(outcome.errors.hasPrefix("lazyimg: warning: \(scratch.path("cut.gif")): "))
        #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test func `a limit has its own exit code`() {
        let bomb = GIFForge(width: 60000, height: 60000, palette: [0, 1])
        var forge = bomb
        forge.control(delay: 1)
        forge.image(width: 2, height: 1, indices: [0, 1])
        forge.trailer()
        Tool.write(forge.bytes, to: scratch.path("bomb.gif"))
        let outcome = Tool.run([
            "play", scratch.path("bomb.gif"), "--frames", "-", "--format", "raw",
        ])
        #expect(outcome.status == 76)
        #expect(outcome.output == [])
    }

    @Test func `a report has an entry for each input, also for one that failed`() {
        let outcome = play(Self.gif, "/nowhere/a.gif", "--json", "--max-frames", "1")
        #expect(outcome.status == 1)
        let list = scratch["out/delays-frames.json"].count
        let bytes = list + scratch["out/delays-00000.png"].count
        #expect(
            outcome.text == """
                [
                  {
                    "input": "\(Self.gif)",
                    "output": "\(scratch.path("out"))",
                    "type": "png",
                    "width": 16,
                    "height": 16,
                    "byteCount": \(bytes),
                    "frameCount": 1,
                    "durationUs": 100000,
                    "loop": {"raw": 0, "plays": null},
                    "rendition": {"kind": "frames", "count": 1, "indexes": "json", "output": {"type": "png"}},
                    "parts": [
                      {"part": "json", "file": "\(scratch.path("out"))/delays-frames.json", "type": "json", "byteCount": \(list)}
                    ],
                    "warnings": []
                  },
                  {"error": {"code": "missing", "message": "Cannot open /nowhere/a.gif: No such file or directory.", "hint": "Check the path.", "input": "/nowhere/a.gif", "exitCode": 66}}
                ]

                """)
    }

    @Test func `a size over the limits is rejected before memory is allocated`() {
        let arguments = [Self.gif, "--size", "65535x65535!"]
        let frames = Tool.run(["play", "--frames", scratch.path("out")] + arguments)
        #expect(frames.status == 76)
        #expect(Tool.run(["poster", "-o", scratch.path("p.png")] + arguments).status == 76)
        #expect(scratch.names() == [])
    }

    @Test func `a missing input leaves no folder`() {
        #expect(play("/nowhere/a.gif").status == 66)
        #expect(scratch.names() == [])
    }

    @Test func `a poster is a PNG next to its input, written once`() {
        Tool.write(Tool.bytes(Self.gif), to: scratch.path("a.gif"))
        #expect(Tool.run(["poster", scratch.path("a.gif")]).status == 0)
        #expect(scratch.names() == ["a.gif", "a.png"])
        #expect(Tool.bytes(scratch.path("a.png")).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let again = Tool.run(["poster", scratch.path("a.gif")])
        #expect(again.status == 73)
        #expect(
            again.errors
                == "lazyimg: \(scratch.path("a.png")) exists already. Replace it with '--overwrite always'.\n"
        )
        #expect(Tool.run(["poster", scratch.path("a.gif"), "--force"]).status == 0)
    }

    @Test func `a poster does not replace its input`() {
        let still = Tool.bytes(Media.path("still-rgb8.png"))
        Tool.write(still, to: scratch.path("a.png"))
        let outcome = Tool.run(["poster", scratch.path("a.png"), "--width", "8", "--force"])
        #expect(outcome.status == 64)
        #expect(
            outcome.errors
                == "lazyimg: The poster of \(scratch.path("a.png")) would replace its input. Name another file with -o.\n"
        )
        #expect(Tool.bytes(scratch.path("a.png")) == still)
    }

    @Test func `a poster goes to a stream, a folder or a device`() {
        let stream = Tool.run(["poster", Self.gif, "-o", "-", "-f", "ppm", "--width", "8"])
        #expect(stream.output.starts(with: Array("P6\n8 8\n255\n".utf8)))
        #expect(Tool.run(["poster", Self.gif, "-o", scratch.path]).status == 0)
        #expect(scratch.names() == ["delays.png"])
        #expect(Tool.run(["poster", Self.gif, "-o", "/dev/null"]).status == 0)
        #expect(Tool.run(["poster", Self.gif, "-o", "/dev/full"]).status == 74)
    }

    @Test(arguments: [("#3", 3), ("-1", 4), ("last", 4), ("first", 0), ("0", 0), ("100%", 4)])
    func `a poster is the requested frame`(position: String, index: Int) {
        let arguments = ["poster", Self.gif, "-o", "/dev/null", "--json", "--at", position]
        #expect(Tool.run(arguments).text.contains("\"index\": \(index),"))
    }

    @Test func `an explanation shows the candidates`() {
        let outcome = Tool.run([
            "poster", Media.path("black-first.gif"), "-o", "/dev/null", "--explain",
        ])
        #expect(outcome.text.hasPrefix("     frame     pts s     score    bright"))
        #expect(outcome.text.split(separator: "\n").count { $0.hasSuffix(" *") } == 1)
        #expect(Tool.run(["poster", Self.gif, "-o", "-", "--at", "#9"]).status == 65)
    }
}
