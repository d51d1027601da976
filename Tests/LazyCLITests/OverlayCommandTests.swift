import Glibc
import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

/// Overlays against ffmpeg's filters.
@Suite(.ownThreads) struct OverlayCommandTests {
    private let scratch = Scratch()

    private func ffmpeg(_ arguments: String) {
        _ = Peer.output(of: "cd '\(scratch.path)' && ffmpeg -v error -y \(arguments)")
    }

    private func raw(_ input: String, _ options: [String]) -> [UInt8] {
        Tool.run(["play", scratch.path(input), "--frames", "-", "--format", "raw"] + options).output
    }

    private func theirs(_ input: String, _ filter: String, _ more: String = "") -> [UInt8] {
        Peer.output(
            of: """
                cd '\(scratch.path)' && ffmpeg -v error -i \(input) \(more) -filter_complex '\(filter)' \
                -f rawvideo -pix_fmt rgba -
                """)
    }

    /// The mean and the largest difference of samples.
    private func difference(_ one: [UInt8], _ other: [UInt8]) -> (mean: Double, most: Int) {
        guard one.count == other.count, !one.isEmpty else { return (255, 255) }
        var (sum, most) = (0, 0)
        for (a, b) in zip(one, other) {
            let difference = abs(Int(a) - Int(b))
            (sum, most) = (sum + difference, max(most, difference))
        }
        return (Double(sum) / Double(one.count), most)
    }

    @Test(arguments: [("counter.gif", false), ("clip.mp4", true), ("still-rgb8.png", false)])
    func `a watermark that is too much to keep stands still, which is said`(
        name: String, isSaid: Bool
    ) {
        let said = Tool.run([
            "convert", Media.path("delays.gif"), "-o", scratch.path("w.apng"), "--watermark",
            Media.path(name),
        ])
        #expect(said.status == 0)
        #expect(said.errors.contains("only its first frame is drawn") == isSaid, "\(said.errors)")
    }

    /// A film of white at 10 a second with a GIF of four colors for 100 ms each, in the corner, which goes on while the
    /// film plays twice as fast and backwards.
    @Test(
        .needs("ffmpeg"),
        arguments: [([], 10), (["--speed", "2"], 5), (["--reverse"], 10)] as [([String], Int)])
    func `a watermark moves by the times of the result`(options: [String], count: Int) throws {
        ffmpeg("-f lavfi -i color=white:s=64x48:r=10:d=1 -c:v ffv1 w.mkv")
        ffmpeg(
            """
            -f lavfi -i nullsrc=s=16x8:r=10:d=0.4 -vf "format=rgb24,geq=r='if(eq(mod(N,4),0),255,0)':\
            g='if(eq(mod(N,4),1),255,0)':b='if(eq(mod(N,4),2),255,0)'" m.gif
            """
        )
        let said = Tool.run(
            [
                "convert", scratch.path("w.mkv"), "-o", scratch.path("w.apng"), "--watermark",
                scratch.path("m.gif"), "--watermark-size", "50%", "--allow-larger",
            ] + options)
        try #require(said.status == 0, "\(said.errors)")
        let pixels = theirs("w.apng", "crop=2:2:34:34,format=rgba")
        let colors = stride(from: 0, to: pixels.count, by: 16).map { place in
            (0..<3).map { pixels[place + $0] > 127 ? 1 : 0 }
        }
        let moves = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
        #expect(colors == (0..<count).map { moves[$0 % 4] }, "\(colors)")
        // 32 by 16 of the picture's 64 by 48.
        let corners = theirs("w.apng", "select=eq(n\\,0),crop=1:1:31:31,format=rgba")
        #expect(corners.prefix(3).allSatisfy { $0 > 250 }, "\(corners)")
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            ([], "W-w:H-h"), (["--watermark-gravity", "north-west"], "0:0"),
            (["--watermark-gravity", "center"], "(W-w)/2:(H-h)/2"),
        ])
    func `a watermark is that of ffmpeg's overlay`(options: [String], place: String) {
        ffmpeg("-f lavfi -i testsrc2=s=96x64 -frames:v 1 a.png")
        ffmpeg(
            "-f lavfi -i testsrc=s=20x10 -frames:v 1 -vf format=rgba,colorchannelmixer=aa=0.5 m.png"
        )
        let ours = raw("a.png", ["--watermark", scratch.path("m.png")] + options)
        let theirs = theirs(
            "a.png",
            "[0]format=rgba[a];[1]format=rgba[b];[a][b]overlay=\(place):format=rgb,format=rgba",
            "-i m.png")
        #expect(difference(ours, theirs).most <= 2)
    }

    private static let subtitles = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 160
        PlayResY: 96

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,20,&H0000ffff,&H0000ffff,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,5,5,5,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:00.50,0:00:01.00,Default,,0,0,0,,Swift

        """

    @Test(.needs("ffmpeg")) func `subtitles are those of ffmpeg's ass filter`() {
        ffmpeg("-f lavfi -i testsrc2=s=160x96:r=4:d=2 a.apng")
        scratch.write(Array(Self.subtitles.utf8), "s.ass")
        let ours = raw("a.apng", ["--subtitles", scratch.path("s.ass")])
        let plain = raw("a.apng", [])
        let theirs = theirs("a.apng", "format=rgba,ass=s.ass")
        let size = 160 * 96 * 4
        #expect(ours.count == 8 * size && theirs.count == ours.count)
        #expect(difference(ours, theirs).mean < 0.2)
        // Two of eight frames have them.
        let changed = (0..<8).filter {
            ours[($0 * size)..<(($0 + 1) * size)] != plain[($0 * size)..<(($0 + 1) * size)]
        }
        #expect(changed == [2, 3])
        // A cut clip has those of the time that it shows, also in other commands.
        let cut = scratch.path("cut.apng")
        let outcome = Tool.run([
            "convert", scratch.path("a.apng"), "-o", cut, "--start", "0.75", "--end", "1.25",
            "--subtitles", scratch.path("s.ass"),
        ])
        #expect(outcome.status == 0)
        let frames = Tool.run(["play", cut, "--frames", "-", "--format", "raw"]).output
        #expect(frames == Array(ours[(3 * size)..<(5 * size)]))
    }

    @Test func `a text is on every picture, with the time of each`() async throws {
        let clip = Media.path("small.mp4")
        let made = scratch.path("made.apng")
        let options = ["--text", "{name} {time}", "--text-gravity", "north", "--text-size", "10"]
        #expect(Tool.run(["convert", clip, "-o", made] + options).status == 0)
        let (source, marked) = (try FrameSequence(path: clip), try FrameSequence(path: made))
        var texts: Set<[UInt8]> = []
        for index in 0..<24 {
            let (plain, text) = (
                try await source.frame(index).bitmap, try await marked.frame(index).bitmap
            )
            // Only the upper part changes.
            for y in 24..<96 { #expect((0..<160).allSatisfy { plain[$0, y] == text[$0, y] }) }
            #expect((0..<24).contains { y in (0..<160).contains { plain[$0, y] != text[$0, y] } })
            texts.insert((0..<24).flatMap { y in (0..<160).map { text[$0, y].x } })
        }
        #expect(texts.count == 24)
        let poster = scratch.path("poster.png")
        #expect(Tool.run(["poster", clip, "-o", poster, "--at", "#5"] + options).status == 0)
        let shown = try await FrameSequence(path: poster).frame(0).bitmap
        #expect(shown == (try await marked.frame(5).bitmap))
    }

    @Test(
        arguments: [
            (["--text-size", "5"], 64), (["--text", ""], 64),
            (["--text", "a", "--text-gravity", "smart"], 64),
            (["--watermark", "gone.png"], 66), (["--watermark-opacity", "0.5"], 64),
            (["--subtitles", "gone.srt"], 66), (["--watermark", "-"], 64),
        ] as [([String], CInt)])
    func `each mistake has its exit code`(options: [String], status: CInt) {
        let outcome = Tool.run(
            ["poster", Media.path("still-rgb8.png"), "-o", scratch.path("p.png")] + options)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(scratch.names() == [])
    }
}
