import Glibc
import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

/// Animations of pictures: lists, folders, patterns, and clips joined.
@Suite(.ownThreads) struct PicturesTests {
    private let scratch = Scratch()

    private func run(_ arguments: String...) -> Tool.Outcome { Tool.run(arguments) }

    private func hashes(_ input: String) -> [Substring] {
        Tool.run(["play", input, "--frames", "-", "--format", "framehash"]).text
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
    }

    /// Three pictures of one color each, by ImageMagick.
    private func makePictures(_ size: String = "8x6") {
        _ = Peer.output(
            of: """
                cd '\(scratch.path)' && for c in 1:red 2:lime 10:blue; do \
                convert -size \(size) "xc:${c#*:}" -type TrueColor "p${c%:*}.png"; done
                """)
    }

    @Test(arguments: ["disposal-mixed.gif", "loop-3.gif", "animation.webp", "small.mp4"])
    func `frames and their list give the clip back`(name: String) async throws {
        let source = Media.path(name)
        #expect(run("play", source, "--frames", scratch.path("out")).status == 0)
        let back = scratch.path("back.apng")
        let made = run("convert", scratch.path("out/frames.json"), "-o", back)
        #expect(made.status == 0)
        let direct = scratch.path("direct.apng")
        #expect(run("convert", source, "-o", direct, "--allow-larger").status == 0)
        #expect(hashes(back) == hashes(direct))
        // A film plays forever on a page; the list says so.
        let (one, two) = (try FrameSequence(path: back), try FrameSequence(path: direct))
        #expect(one.info.loop == two.info.loop)
        // The folder means the list in it.
        let folder = scratch.path("folder.apng")
        #expect(run("convert", scratch.path("out"), "-o", folder).status == 0)
        #expect(scratch["folder.apng"] == scratch["back.apng"])
    }

    @Test(
        .needs("convert", "ffprobe"),
        arguments: [
            (["p%d.png"], ["100/1000", "100/1000", "100/1000"]),
            (["p%d.png", "--fps", "4"], ["250/1000", "250/1000", "250/1000"]),
            (
                ["p1.png", "p2.png", "p10.png", "--delay", "0.5,1"],
                ["500/1000", "1000/1000", "1000/1000"]
            ),
            (["."], ["100/1000", "100/1000", "100/1000"]),
        ])
    func `pictures become frames of the times that are asked for`(
        words: [String], delays: [String]
    ) throws {
        makePictures()
        let arguments = words.map { $0.hasPrefix("p") || $0 == "." ? scratch.path($0) : $0 }
        #expect(Tool.run(["convert"] + arguments + ["-o", scratch.path("made.gif")]).status == 0)
        // giflib, libwebp and ffmpeg agree on a GIF's delays.
        let text = String(
            decoding: Peer.output(
                of: """
                    ffprobe -v error -show_entries packet=duration_time -of csv=p=0 \
                    '\(scratch.path("made.gif"))'
                    """), as: UTF8.self)
        let seconds = text.split(separator: "\n").map { Double($0.split(separator: ",")[0]) ?? 0 }
        let expected = delays.map { (Double($0.split(separator: "/")[0]) ?? 0) / 1000 }
        #expect(seconds == expected)
        let pixels = Peer.output(
            of: "convert '\(scratch.path("made.gif"))' -coalesce -crop 1x1+3+3 -depth 8 rgb:-")
        #expect(pixels == [255, 0, 0, 0, 255, 0, 0, 0, 255])
    }

    @Test(.needs("convert")) func `animate keeps all pictures that were listed`() throws {
        makePictures()
        let names = ["p1.png", "p2.png", "p10.png"].map(scratch.path)
        let made = Tool.run(
            ["animate"] + names + [scratch.path("a.webp"), "--fps", "30", "--json"])
        #expect(made.status == 0)
        let report = try ParsedJSON.parse(made.text)
        #expect(report["frameCount"]?.integer == 3)
        let piped = Tool.run(["animate"] + names + ["-f", "gif", "-o", "-"])
        #expect(piped.output.starts(with: "GIF89a".utf8))
    }

    @Test func `clips are joined into the one file that is named`() async throws {
        let names = [Media.path("loop-0.gif"), Media.path("loop-3.gif")]
        let output = scratch.path("joined.apng")
        let parts = names.map { FramesOfOne.hashes($0) }
        for options in [[], ["--concat", "--force"]] {
            #expect(Tool.run(["convert"] + options + names + ["-o", output]).status == 0)
            #expect(FramesOfOne.hashes(output) == parts.flatMap(\.self))
        }
        let refused = Tool.run(["poster"] + names + ["-o", scratch.path("one.png")])
        #expect(refused.status == 64 && refused.errors.contains("Name a folder"))
        let reported = Tool.run(["batch", "convert", "--concat", "-f", "gif", names[0]])
        #expect(reported.status == 64)
    }

    @Test func `other commands read lists too`() throws {
        let out = scratch.path("out")
        #expect(run("play", Media.path("counter.gif"), "--frames", out).status == 0)
        let list = out + "/frames.json"
        #expect(
            run("poster", list, "-o", scratch.path("p.png"), "--at", "#3").status == 0)
        let direct = scratch.path("d.png")
        #expect(run("poster", Media.path("counter.gif"), "-o", direct, "--at", "#3").status == 0)
        #expect(hashes(scratch.path("p.png")) == hashes(direct))
        #expect(run("sheet", list, "-o", scratch.path("s.png")).status == 0)
        #expect(run("info", list, "--json").text.contains(#""type": "pictures""#))
        #expect(
            run("play", out + "/frame-%05d.png", "--frames", "-", "--format", "null").status == 0)
    }

    @Test(
        arguments: [
            (["gone-%d.png"], 66), (["gone.json"], 66), (["empty"], 66), (["bad.json"], 65),
            (["outside.ffconcat"], 65), (["missing.ffconcat"], 66),
            (["a.png", "--delay", "1"], 64),
            (["a.png", "--delay", "0"], 64), (["a.png", "b.png", "--delay", "x"], 64),
            (["a.png", "text.png"], 65),
        ] as [([String], CInt)])
    func `each mistake has its exit code and one sentence`(words: [String], status: CInt) throws {
        let picture = try Media.array("still-rgb8.png")
        mkdir(scratch.path("empty"), 0o700)
        scratch.write(picture, "a.png")
        scratch.write(picture, "b.png")
        scratch.write(Array("text".utf8), "text.png")
        scratch.write(Array("{}".utf8), "bad.json")
        scratch.write(Array("ffconcat version 1.0\nfile /etc/hosts\n".utf8), "outside.ffconcat")
        scratch.write(Array("ffconcat version 1.0\nfile c.png\n".utf8), "missing.ffconcat")
        let inputs = words.prefix { !$0.hasPrefix("--") }.map(scratch.path)
        let outcome = Tool.run(
            ["convert", "--concat"] + inputs + words.drop { !$0.hasPrefix("--") }
                + ["-o", scratch.path("out.gif")])
        #expect(outcome.status == status)
        #expect(outcome.errors.split(separator: "\n").count == 1 || status == 64)
        #expect(!scratch.names().contains("out.gif"))
    }

    @Test func `the output is no picture of its own folder`() throws {
        let folder = scratch.path("in")
        mkdir(folder, 0o700)
        scratch.write(try Media.array("still-rgb8.png"), "in/a.png")
        scratch.write(try Media.array("still-grey8.png"), "in/b.png")
        let output = folder + "/c.gif"
        #expect(run("convert", folder, "-o", output).status == 0)
        #expect(FramesOfOne.hashes(output).count == 2)
        #expect(run("convert", folder, "-o", output, "--force").status == 0)
        #expect(FramesOfOne.hashes(output).count == 2)
        let taken = run("convert", folder + "/a.png", folder + "/b.png", "-o", folder + "/a.png")
        #expect(taken.status == 64)
        #expect(taken.errors.contains("is the input itself"))
    }
}

/// The pixels of all frames.
private enum FramesOfOne {
    static func hashes(_ input: String) -> [Substring] {
        Tool.run(["play", input, "--frames", "-", "--format", "framehash"]).text
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: ",").last ?? "" }
    }
}
