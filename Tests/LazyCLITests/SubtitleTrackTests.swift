import Glibc
import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

/// Subtitles of tracks against ffmpeg's filter `subtitles`, which reads them from the same file.
@Suite(.ownThreads) struct SubtitleTrackTests {
    private let scratch = Scratch()

    @discardableResult
    private func shell(_ command: String) -> [UInt8] {
        Peer.output(of: "cd '\(scratch.path)' && \(command) </dev/null")
    }

    private static let english = """
        1
        00:00:00,500 --> 00:00:01,000
        Swift <i>slanted</i> &amp; <b>bold</b>

        2
        00:00:01,250 --> 00:00:01,750
        Two
        lines

        """
    private static let german = "1\n00:00:00,000 --> 00:00:09,000\nGrüße\n"

    private static let script = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 320
        PlayResY: 180

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,LazyTe Sans Mono,24,&H0000ffff,&H0000ffff,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,5,5,5,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:00.50,0:00:01.00,Default,,0,0,0,,{\\pos(160,60)\\frz10}iiWWii
        Dialogue: 1,0:00:00.50,0:00:09.00,Default,,0,0,0,,{\\an7\\1c&H00FF00&}green

        """

    /// A film of two seconds at four frames a second, whose pixels are exact where its codec is PNG.
    private func film(_ name: String, _ options: String, inputs: [String] = ["en.srt", "de.srt"]) {
        scratch.write(Array(Self.english.utf8), "en.srt")
        scratch.write(Array(Self.german.utf8), "de.srt")
        scratch.write(Array(Self.script.utf8), "s.ass")
        let tracks = inputs.map { "-i \($0)" }.joined(separator: " ")
        let maps = inputs.indices.map { "-map \($0 + 1)" }.joined(separator: " ")
        shell(
            "ffmpeg -v error -y -f lavfi -i testsrc2=s=320x180:r=4:d=2 \(tracks) -map 0 \(maps) \(options) \(name)"
        )
    }

    private func raw(_ input: String, _ options: [String]) -> [UInt8] {
        Tool.run(["play", scratch.path(input), "--frames", "-", "--format", "raw"] + options).output
    }

    private func theirs(_ input: String, _ filter: String) -> [UInt8] {
        shell(
            "ffmpeg -v error -i \(input) -filter_complex 'format=rgba,\(filter)' -f rawvideo -pix_fmt rgba -"
        )
    }

    /// The mean difference of samples.
    ///
    /// `==` in an expectation that fails lists the differences of arrays, for hours.
    private func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        guard one.count == other.count, !one.isEmpty else { return 255 }
        var sum = 0
        for (a, b) in zip(one, other) { sum += abs(Int(a) - Int(b)) }
        return Double(sum) / Double(one.count)
    }

    private static let size = 320 * 180 * 4

    /// The numbers of the frames that differ.
    private func changed(_ one: [UInt8], _ other: [UInt8]) -> [Int] {
        (0..<(one.count / Self.size)).filter {
            let part = ($0 * Self.size)..<(($0 + 1) * Self.size)
            return one[part] != other[part]
        }
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("a.mp4", "-c:v png -c:s mov_text"), ("a.mov", "-c:v png -c:s mov_text"),
            ("a.mkv", "-c:v png -c:s srt"), ("b.mkv", "-c:v png -c:s ass"),
            ("c.mkv", "-c:v png -c:s webvtt"),
            ("late.mkv", "-c:v png -c:s srt -output_ts_offset 7"),
        ])
    func `subtitles of a track are those of ffmpeg`(name: String, options: String) {
        film(name, options)
        let plain = raw(name, [])
        #expect(plain.count == 8 * Self.size)
        // By the times of the file; ffmpeg's filter reads them again without the offset.
        let isLate = name.hasPrefix("late")
        let first = raw(name, ["--subtitles", "track:1"])
        if !isLate { #expect(difference(first, theirs(name, "subtitles=\(name):si=0")) < 0.1) }
        #expect(changed(first, plain) == [2, 3, 5, 6])
        let second = raw(name, ["--subtitles", "track:2"])
        if !isLate { #expect(difference(second, theirs(name, "subtitles=\(name):si=1")) < 0.1) }
        #expect(changed(second, plain) == Array(0..<8))
        #expect(first != second)
    }

    @Test(.needs("ffmpeg")) func `WebM's tracks are drawn as their files`() {
        film("a.webm", "-c:v libvpx -b:v 2M -c:s webvtt")
        let plain = raw("a.webm", [])
        let ours = raw("a.webm", ["--subtitles", "track"])
        #expect(changed(ours, plain) == [2, 3, 5, 6])
        // The codec's colors differ a little from ffmpeg's: what the text changes does not.
        let theirs = theirs("a.webm", "subtitles=a.webm:si=0")
        let bare = self.theirs("a.webm", "null")
        let (one, other) = (zip(ours, plain), zip(theirs, bare))
        let change = { (pair: (UInt8, UInt8)) in Int(pair.0) - Int(pair.1) }
        let sum = zip(one, other).reduce(0) { $0 + abs(change($1.0) - change($1.1)) }
        #expect(Double(sum) / Double(ours.count) < 0.3)
    }

    /// A font whose family no system has, made of one that it has: its names are in bytes and in UTF-16.
    private func writeFont() throws {
        let wide = { (name: String) in name.map { #"\x00\#($0)"# }.joined() }
        shell(
            """
            LC_ALL=C sed -e 's/DejaVu/LazyTe/g' -e 's/\(wide("DejaVu"))/\(wide("LazyTe"))/g' \
            /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf > font.ttf
            """)
        try #require(Tool.bytes(scratch.path("font.ttf")).count > 1000)
    }

    @Test(.needs("ffmpeg")) func `fonts of a file draw its subtitles, unless limits forbid`() throws
    {
        try writeFont()
        film(
            "f.mkv", "-c:v png -c:s copy -attach font.ttf -metadata:s:t mimetype=font/ttf",
            inputs: ["s.ass"])
        film("g.mkv", "-c:v png -c:s copy", inputs: ["s.ass"])
        let options = ["--subtitles", "track"]
        let ours = raw("f.mkv", options)
        #expect(difference(ours, theirs("f.mkv", "subtitles=f.mkv")) < 0.1)
        let without = raw("g.mkv", options)
        #expect(difference(ours, without) > 0)
        #expect(difference(without, theirs("g.mkv", "subtitles=g.mkv")) < 0.1)
        #expect(difference(raw("f.mkv", options + ["--limit", "fonts=0"]), without) == 0)
        #expect(difference(raw("f.mkv", options + Tool.limits("untrusted")), without) == 0)
        let limited = Tool.run(
            ["poster", scratch.path("f.mkv"), "-o", scratch.path("p.png"), "--limit", "fonts=0"]
                + options)
        #expect(limited.status == 0)
        #expect(limited.errors.contains("The font font.ttf is not used for the subtitles"))
    }

    @Test(.needs("ffmpeg"), arguments: ["a.mp4", "a.mkv"])
    func `all commands draw the same subtitles, isolated too`(name: String) async throws {
        film(
            name,
            "-c:v png -c:s \(name.hasSuffix("4") ? "mov_text" : "srt") -metadata:s:s:0 language=eng -metadata:s:s:1 language=ger"
        )
        let wanted = raw(name, ["--subtitles", "track:de"])
        #expect(
            difference(raw(name, ["--subtitles", "track:deu", "--isolate", "always"]), wanted) == 0)
        #expect(
            difference(raw(name, ["--subtitles", "track:2", "--isolate", "never"]), wanted) == 0)

        let (clip, poster) = (scratch.path("c.apng"), scratch.path("p.png"))
        let options = ["--subtitles", "track:ger"]
        let source = scratch.path(name)
        #expect(
            Tool.run(["convert", source, "-o", clip, "--start", "0.5", "--end", "1.5"] + options)
                .status == 0)
        let frames = Tool.run(["play", clip, "--frames", "-", "--format", "raw"]).output
        #expect(difference(frames, Array(wanted[(2 * Self.size)..<(6 * Self.size)])) == 0)
        #expect(Tool.run(["poster", source, "-o", poster, "--at", "#5"] + options).status == 0)
        let shown = try await FrameSequence(path: poster).frame(0).bitmap
        let part = Array(wanted[(5 * Self.size)..<(6 * Self.size)])
        #expect(difference(shown.withBytes { Array($0) }, part) == 0)
        let thumbnail = scratch.path("t.apng")
        #expect(
            Tool.run(
                ["animate", source, "-o", thumbnail, "--whole", "--width", "320", "--fps", "4"]
                    + options
            ).status == 0)
        #expect(difference(raw("t.apng", []), wanted) == 0)
        let sheet = scratch.path("s.png")
        #expect(
            Tool.run(
                ["sheet", source, "-o", sheet, "--count", "1", "--width", "320", "--exact"]
                    + options
            ).status == 0)
        let tile = try await FrameSequence(path: sheet).frame(0).bitmap
        let tiles = (0..<8).map { Array(wanted[($0 * Self.size)..<(($0 + 1) * Self.size)]) }
        #expect(tiles.contains(tile.withBytes { Array($0) }))
    }

    @Test(.needs("ffmpeg")) func `info tells the tracks`() throws {
        film(
            "a.mkv",
            "-c:v png -c:s:0 srt -c:s:1 dvdsub -metadata:s:s:0 language=ger -metadata:s:s:0 title=Untertitel -disposition:s:0 default+forced",
            inputs: ["de.srt"])
        let text = Tool.run(["info", scratch.path("a.mkv")]).text
        #expect(text.contains("subtitle subrip, track 1, ger, 'Untertitel', default, forced"))
        let json = Tool.run(["info", "--json", scratch.path("a.mkv")]).text
        let words = json.filter { !$0.isWhitespace }
        #expect(
            words.contains(
                #""language":"ger","title":"Untertitel","default":true,"forced":true,"subtitles":{"track":1,"text":true}"#
            ))
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("track:3", 65, "There is no subtitle track 3: the file has 2."),
            ("track:fr", 65, "There are no subtitles in fr: they are in deu."),
            ("track:2", 65, "The subtitles of track 2 are pictures (hdmv_pgs_subtitle)"),
            ("track:0", 64, "track, track:2 or track:deu"),
            ("track:german", 64, "track, track:2 or track:deu"),
            ("track:", 64, "track, track:2 or track:deu"),
        ] as [(String, CInt, String)])
    func `a track that cannot be drawn is an error`(word: String, status: CInt, message: String) {
        // The second track has pictures.
        film("plain.mkv", "-c:v png -c:s srt -metadata:s:s language=deu", inputs: ["de.srt"])
        shell(
            "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=1:d=2 -f lavfi -i testsrc2=s=64x48:r=1:d=2 -map 0 -c:v png v.mkv"
        )
        scratch.write(Self.pictureSubtitles, "pictures.sup")
        shell(
            "ffmpeg -v error -y -i plain.mkv -f sup -i pictures.sup -map 0 -map 1 -c copy -metadata:s:s:0 language=deu a.mkv"
        )
        let said = Tool.run([
            "poster", scratch.path("a.mkv"), "-o", scratch.path("p.png"), "--subtitles", word,
        ])
        #expect(said.status == status, "\(said.errors)")
        #expect(
            said.errors.contains(message),
            "\(said.errors)")
        #expect(!scratch.names().contains("p.png"))
    }

    /// One empty composition of PGS (a presentation segment and an end), as Blu-ray has them.
    private static let pictureSubtitles: [UInt8] = {
        func segment(_ type: UInt8, _ bytes: [UInt8]) -> [UInt8] {
            [0x50, 0x47, 0, 0, 0x5F, 0x90, 0, 0, 0, 0, type, 0, UInt8(bytes.count)] + bytes
        }
        return segment(0x16, [0, 64, 0, 48, 0x10, 0, 0, 0x80, 0, 0, 0]) + segment(0x80, [])
    }()

    @Test(arguments: [
        ("small.mp4", "track"), ("still-rgb8.png", "track"), ("counter.gif", "track:deu"),
    ])
    func `media without subtitles has none to draw`(name: String, word: String) {
        for command in ["poster", "convert"] {
            let said = Tool.run(
                [
                    command, Media.path(name), "-o", scratch.path("a.png"), "--still",
                    "--subtitles",
                    word,
                ].filter { command == "convert" || $0 != "--still" })
            #expect(said.status == 65)
            #expect(said.errors.contains("The file has no subtitles."))
            #expect(scratch.names() == [])
        }
    }

    @Test func `a file named track is written with its folder`() {
        scratch.write(Array(Self.german.utf8), "track")
        let said = Tool.shell(
            "cd '\(scratch.path)' && $lazyimg poster \(Media.path("small.mp4")) -o p.png --subtitles ./track"
        )
        #expect(said.status == 0, "\(said.errors)")
    }

    @Test(.needs("ffmpeg"), .enabled(if: !Sanitizer.isLinked))
    func `a file of subtitles is drawn where the film is decoded`() throws {
        film("a.mkv", "-c:v png -c:s copy", inputs: ["s.ass"])
        let options = ["--subtitles", scratch.path("s.ass"), "--limits", "untrusted"]
        let here = raw("a.mkv", options + ["--isolate", "never"])
        #expect(changed(here, raw("a.mkv", [])) == Array(2..<8))
        #expect(difference(raw("a.mkv", options), here) == 0)
    }

    @Test(.needs("ffmpeg"), .enabled(if: !Sanitizer.isLinked))
    func `an emoji is the same where the film is decoded`() throws {
        shell("ffmpeg -v error -y -f lavfi -i color=gray:s=320x180:r=1:d=1 -c:v png a.mkv")
        for (name, text) in [("emoji", "\u{1F600}\u{1F600}"), ("other", "\u{10FFFD}\u{10FFFD}")] {
            let cue = "WEBVTT\n\n00:00.000 --> 00:09.000\n\(text)\n"
            scratch.write(Array(cue.utf8), "\(name).vtt")
        }
        func options(_ name: String, _ isolation: String) -> [String] {
            ["--subtitles", scratch.path("\(name).vtt"), "--isolate", isolation]
        }
        let here = raw("a.mkv", options("emoji", "never"))
        #expect(difference(raw("a.mkv", options("emoji", "always")), here) == 0)
        // And no box, as for a character that no font has.
        #expect(difference(raw("a.mkv", options("other", "never")), here) > 0)
    }

    @Test(.needs("ffmpeg"), arguments: ["always", "never"])
    func `subtitles that ask for too much are bounded, and said`(isolation: String) throws {
        // Equal ones would be drawn once.
        let lines = (0..<300).map { number in
            "Dialogue: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,{\\fs9000\\blur99\\bord99}WWWW \(number)\n"
        }
        scratch.write(Array((Self.script + lines.joined()).utf8), "big.ass")
        shell("ffmpeg -v error -y -f lavfi -i testsrc2=s=320x180:r=4:d=1 -c:v png a.mkv")
        let outcome = Tool.run([
            "poster", scratch.path("a.mkv"), "-o", scratch.path("p.png"), "--subtitles",
            scratch.path("big.ass"), "--isolate", isolation,
        ])
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("too large, or too many at a time"))
    }
}
