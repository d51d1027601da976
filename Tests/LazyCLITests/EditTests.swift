import Glibc
import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

/// Edits of pictures against ffmpeg's filters and ImageMagick.
@Suite(.ownThreads) struct EditTests {
    private let scratch = Scratch()

    /// A picture of ffmpeg, of which no two corners are alike.
    private func source(_ size: String = "40x30") -> String {
        let path = scratch.path("source.png")
        _ = Peer.output(
            of: "ffmpeg -v error -f lavfi -i testsrc2=s=\(size) -frames:v 1 -pix_fmt rgba '\(path)'"
        )
        return path
    }

    @Test(.needs("ffmpeg"), arguments: ["north-west", "east", "0.9,0.1"])
    func `play places a crop by gravity as the poster does`(place: String) {
        let source = source()
        let options = ["--crop", "12x9", "--gravity", place]
        let frames = Tool.run(["play", source, "--frames", "-", "--format", "raw"] + options)
        #expect(frames.output.count == 12 * 9 * 4)
        let poster = Tool.run(["poster", source, "-f", "raw", "-o", "-"] + options)
        #expect(frames.output == poster.output)
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [["--crop", "16x16+4+3"], ["--rotate", "90", "--flip", "vertical"]])
    func `ls lists edited posters`(options: [String]) {
        let source = source()
        mkdir(scratch.path("edited"), 0o700)
        let edited = scratch.path("edited/source.png")
        #expect(Tool.run(["poster", source, "-o", edited] + options).status == 0)
        let drawing = ["--protocol", "blocks", "--cells", "40x12"]
        let listed = Tool.run(["ls", source] + drawing + options)
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(listed.text == Tool.run(["ls", edited] + drawing).text)
        #expect(listed.text != Tool.run(["ls", source] + drawing).text)
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            (["--crop", "10x8+3+2"], "crop=10:8:3:2:exact=1"),
            (["--crop", "10:8:3:2"], "crop=10:8:3:2:exact=1"),
            (["--crop", "1:1"], "crop=30:30:5:0:exact=1"),
            (["--rotate", "90"], "transpose=1"), (["--rotate", "right"], "transpose=1"),
            (["--rotate", "180"], "transpose=1,transpose=1"), (["--rotate", "-90"], "transpose=2"),
            (["--rotate", "left"], "transpose=2"), (["--flip", "horizontal"], "hflip"),
            (["--flip", "vertical"], "vflip"), (["--flip", "both"], "hflip,vflip"),
            (["--rotate", "90", "--flip", "horizontal"], "transpose=1,hflip"),
            (["--rotate", "90", "--flip", "vertical"], "transpose=1,vflip"),
            (["--rotate", "270", "--flip", "horizontal"], "transpose=2,hflip"),
            (["--rotate", "180", "--flip", "vertical"], "transpose=1,transpose=1,vflip"),
            (["--rotate", "270", "--flip", "both"], "transpose=2,hflip,vflip"),
            (["--pad", "5"], "pad=50:40:5:5:black"),
            (["--pad", "60x20", "--pad-color", "#ff8000"], "pad=60:30:10:0:0xff8000"),
            (["--pad", "1:1", "--pad-color", "white"], "pad=40:40:0:5:white"),
            (
                ["--crop", "21x9+5+6", "--rotate", "90", "--flip", "vertical", "--pad", "3"],
                "crop=21:9:5:6:exact=1,transpose=1,vflip,pad=15:27:3:3:black"
            ),
        ] as [([String], String)])
    func `edits are those of ffmpeg to the pixel`(options: [String], filter: String) {
        let source = source()
        let theirs = Peer.output(
            of:
                "ffmpeg -v error -i '\(source)' -vf format=rgba,\(filter) -f rawvideo -pix_fmt rgba -"
        )
        #expect(!theirs.isEmpty)
        let ours = Tool.run(["play", source, "--frames", "-", "--format", "raw"] + options)
        #expect(ours.errors == "")
        #expect(ours.output == theirs)
        // All commands share the edit.
        let poster = Tool.run(["poster", source, "-f", "raw", "-o", "-"] + options)
        #expect(poster.output == theirs)
        let file = scratch.path("made.png")
        #expect(Tool.run(["convert", source, "-o", file] + options).status == 0)
        #expect(
            Tool.run(["play", file, "--frames", "-", "--format", "raw"]).output == theirs)
        // A border is made at the size that is shown, so it is not compared with a border that was scaled.
        if options.contains("--pad") { return }
        let cells = ["--protocol", "ascii", "--cells", "200x100"]
        let drawn = Tool.run(["play", source] + cells + options)
        #expect(drawn.status == 0 && !drawn.output.isEmpty)
        #expect(drawn.output == Tool.run(["play", file] + cells).output)
    }

    @Test(.needs("ffmpeg")) func `an animation is cropped before it is scaled and padded after`()
        throws
    {
        let clip = scratch.path("clip.gif")
        _ = Peer.output(
            of: "ffmpeg -v error -f lavfi -i testsrc2=s=64x48:d=0.4:r=10 '\(clip)'")
        let made = scratch.path("made.apng")
        let outcome = Tool.run([
            "convert", clip, "-o", made, "--crop", "32x32+8+8", "--width", "16", "--pad", "20x20",
            "--pad-color", "blue",
        ])
        #expect(outcome.status == 0)
        let frames = Tool.run(["play", made, "--frames", "-", "--format", "raw"]).output
        // Equal frames become one.
        #expect(frames.count % (20 * 20 * 4) == 0 && frames.count >= 2 * 20 * 20 * 4)
        #expect(Array(frames[0..<4]) == [0, 0, 255, 255])
        let sheet = scratch.path("sheet.png")
        #expect(
            Tool.run(["sheet", clip, "-o", sheet, "--crop", "32x16", "--columns", "4"]).status == 0)
        let size = Peer.output(
            of: "ffprobe -v error -show_entries stream=width,height -of csv=p=0 '\(sheet)'")
        #expect(String(decoding: size, as: UTF8.self) == "640,80\n")
    }

    /// A clip of two seconds by ffmpeg.
    private func clip(_ source: String, _ filter: String) -> String {
        let path = scratch.path("clip.mp4")
        _ = Peer.output(
            of: """
                ffmpeg -v error -y -f lavfi -i '\(source):r=12:d=2' -vf '\(filter)' -c:v libx264 \
                -pix_fmt yuv420p '\(path)'
                """)
        return path
    }

    private func trimmed(_ path: String) throws -> String {
        let line = try #require(
            Tool.run([
                "play", path, "--frames", "-", "--format", "framehash", "--trim", "--max-frames",
                "1",
            ])
            .text.split(separator: "\n").last)
        let words = line.split(separator: ",").map { $0.filter { $0 != " " } }
        return "\(words[3])x\(words[4])"
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("testsrc2=s=160x90", "pad=160:120:0:16:black"),
            ("testsrc2=s=120x120", "pad=160:120:20:0:black"),
            ("testsrc2=s=128x72", "pad=160:120:16:24:black"),
            // Dim, and fading in from black.
            ("testsrc2=s=160x90", "lutyuv=y=16+(val-16)/3,fade=in:0:12,pad=160:120:0:14:black"),
        ])
    func `bars are those that cropdetect finds`(source: String, filter: String) throws {
        let path = clip(source, filter)
        let theirs = String(
            decoding: Peer.output(
                of: "ffmpeg -i '\(path)' -vf cropdetect=limit=24:round=2 -f null - 2>&1"),
            as: UTF8.self)
        let crop = try #require(theirs.matches(of: /crop=(\d+):(\d+):/).last)
        #expect(try trimmed(path) == "\(crop.output.1)x\(crop.output.2)")
        #expect(try trimmed(path) != "160x120")
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("testsrc2=s=160x120", "null"), ("testsrc2=s=160x120", "lutyuv=y=16+(val-16)/14"),
            ("color=black:s=160x120", "drawbox=x=60:y=50:w=40:h=20:color=white:t=fill"),
            ("color=black:s=160x120", "null"), ("color=black:s=160x120", "noise=alls=12:allf=t"),
            ("gradients=s=160x120:c0=black:c1=gray:x0=80:y0=60:x1=0:y1=0", "vignette=PI/2.2"),
        ])
    func `a dark film keeps its picture`(source: String, filter: String) throws {
        #expect(try trimmed(clip(source, filter)) == "160x120")
    }

    @Test(.needs("convert")) func `a matte is behind soft edges, and holes stay`() throws {
        let source = scratch.path("soft.png")
        _ = Peer.output(
            of: """
                convert -size 3x1 xc:none -fill 'rgba(200,0,0,1)' -draw 'point 0,0' \
                -fill 'rgba(200,0,0,0.5)' -draw 'point 1,0' \
                -define png:exclude-chunks=gAMA,cHRM PNG32:'\(source)'
                """)
        let made = scratch.path("made.gif")
        #expect(Tool.run(["convert", source, "-o", made, "--matte", "#0000ff"]).status == 0)
        let pixels = Peer.output(of: "convert '\(made)' rgba:-")
        let flat = Peer.output(
            of: "convert '\(source)' -background '#0000ff' -alpha remove rgba:-")
        #expect(Array(pixels[0..<8]) == Array(flat[0..<8]))
        #expect(pixels[11] == 0)
        // Formats without any transparency get the color behind all.
        let jpeg = scratch.path("made.jpg")
        #expect(
            Tool.run(["convert", source, "-o", jpeg, "--matte", "#0000ff", "-q", "100"]).status == 0
        )
        let last = Peer.output(of: "convert '\(jpeg)' -depth 8 rgb:-").suffix(3)
        #expect(last.last ?? 0 > 200)
    }

    @Test(
        arguments: [
            (["--crop", "0x5"], 64), (["--crop", "5x5+1"], 64), (["--crop", "5x5+1+2+3"], 64),
            (["--crop", "a"], 64), (["--crop", "1:0"], 64), (["--crop", "99999999x1"], 64),
            (["--rotate", "500"], 64), (["--rotate", "up"], 64), (["--flip", "around"], 64),
            (["--pad", "-3"], 64), (["--pad-color", "red"], 64),
            (["--pad", "9000000x9000000"], 76),
            (["--crop", "5x5+5000+0"], 65), (["--crop", "5x5+1+1", "--gravity", "north"], 64),
        ] as [([String], CInt)])
    func `each mistake has its exit code`(options: [String], status: CInt) {
        let outcome = Tool.run(
            ["poster", Media.path("still-rgb8.png"), "-o", scratch.path("p.png")] + options)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(scratch.names() == [])
    }
}
