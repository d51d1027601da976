import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

/// Subtitles of files against the same text as a track, and against ffmpeg's filter `subtitles`.
@Suite(.ownThreads) struct SubtitleFileTests {
    private let scratch = Scratch()

    private static let size = 320 * 180 * 4

    @discardableResult
    private func shell(_ command: String) -> [UInt8] {
        Peer.output(of: "cd '\(scratch.path)' && \(command) </dev/null")
    }

    /// A gray film of four frames, whose pixels are exact.
    private func film(_ name: String = "a.mkv", _ rest: String = "") {
        shell(
            "ffmpeg -v error -y -f lavfi -i color=gray:s=320x180:r=4:d=1 \(rest) -c:v png \(name)")
    }

    private func raw(_ options: [String], film: String = "a.mkv") -> [UInt8] {
        Tool.run(["play", scratch.path(film), "--frames", "-", "--format", "raw"] + options).output
    }

    private func drawn(_ file: String, _ options: String...) -> [UInt8] {
        raw(["--subtitles", scratch.path(file)] + options)
    }

    private func theirs(_ filter: String) -> [UInt8] {
        shell(
            "ffmpeg -v error -i a.mkv -filter_complex 'format=rgba,\(filter)' -f rawvideo -pix_fmt rgba -"
        )
    }

    /// The mean difference of samples; all of them where the lengths differ.
    private func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        guard one.count == other.count, !one.isEmpty else { return 255 }
        var sum = 0
        for (a, b) in zip(one, other) { sum += abs(Int(a) - Int(b)) }
        return Double(sum) / Double(one.count)
    }

    /// The rows and columns of the first frame that differ from gray.
    private func place(_ frames: [UInt8]) -> (rows: ClosedRange<Int>, columns: ClosedRange<Int>)? {
        guard frames.count >= Self.size else { return nil }
        let changed = (0..<Self.size / 4).filter { frames[4 * $0] != frames[0] }
        let rows = changed.map { $0 / 320 }
        let columns = changed.map { $0 % 320 }
        guard let top = rows.min(), let bottom = rows.max(), let left = columns.min(),
            let right = columns.max()
        else { return nil }
        return (top...bottom, left...right)
    }

    private static let tags = """
        1
        00:00:00,000 --> 00:00:05,000
        <i>Italic words here</i> plain
        <b>Bold</b> <font color="#ffff00">yellow</font> <u>under</u>{\\an8}

        """
    private static let cues = """
        WEBVTT

        00:00.000 --> 00:05.000
        <i>Italic</i> &amp; <b>bold</b> {x}

        """
    private static let script = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 320
        PlayResY: 180

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Alignment
        Style: Default,DejaVu Sans,24,&H0000ffff,-1,5

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:00.00,0:00:05.00,Default,,0,0,0,,{\\frz10}turned

        """

    @Test(
        .needs("ffmpeg"),
        arguments: [("a.srt", "srt", tags), ("a.vtt", "copy", cues), ("a.ass", "ass", script)])
    func `a file has the styles of its track, and ffmpeg's`(
        name: String, codec: String, text: String
    ) {
        scratch.write(Array(text.utf8), name)
        film()
        let ours = drawn(name)
        #expect(difference(ours, raw([])) > 0.1)
        #expect(difference(ours, theirs("subtitles=\(name)")) < 0.1)
        film("b.mkv", "-i \(name) -map 0 -map 1 -c:s \(codec)")
        #expect(difference(ours, raw(["--subtitles", "track"], film: "b.mkv")) == 0)
    }

    // Chromium 156 puts these cues there.
    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("", 150...180, 100...220), ("line:0", 0...20, 100...220),
            ("line:-1", 160...180, 100...220), ("line:50%", 85...110, 100...220),
            ("line:0 position:0% align:start", 0...20, 0...100),
            ("align:end size:50% position:100%", 150...180, 220...320),
        ])
    func `the settings of a cue are its place, in tracks too`(
        settings: String, rows: ClosedRange<Int>, columns: ClosedRange<Int>
    ) throws {
        let text = "WEBVTT\n\n00:00.000 --> 00:03.000 \(settings)\nTop\n"
        scratch.write(Array(text.utf8), "a.vtt")
        film()
        let ours = drawn("a.vtt")
        let found = try #require(place(ours))
        #expect(rows.contains(found.rows.lowerBound) && rows.contains(found.rows.upperBound))
        #expect(
            columns.contains(found.columns.lowerBound)
                && columns.contains(found.columns.upperBound))
        shell(
            "ffmpeg -v error -y -f lavfi -i color=gray:s=320x180:r=4:d=1 -i a.vtt -map 0 -map 1 -c:v libvpx -b:v 2M -c:s copy b.webm"
        )
        let track = try #require(
            self.place(
                raw(["--subtitles", "track"], film: "b.webm").map { $0 > 135 || $0 < 120 ? 255 : 0 }
            ))
        #expect(abs(track.rows.lowerBound - found.rows.lowerBound) <= 2)
        #expect(abs(track.columns.lowerBound - found.columns.lowerBound) <= 2)
    }

    @Test(.needs("ffmpeg"))
    func `encodings are told by a mark, by name, or guessed with a warning`() {
        let text = "1\n00:00:00,000 --> 00:00:05,000\nПривет, мир. Как дела?\n"
        scratch.write(Array(text.utf8), "a.srt")
        film()
        for encoding in ["UTF-16LE", "UTF-16BE", "UTF-32LE"] {
            scratch.write([0xEF, 0xBB, 0xBF] + Array(text.utf8), "marked.srt")
            shell("iconv -f UTF-8 -t \(encoding) marked.srt > m.srt")
            #expect(difference(drawn("m.srt"), drawn("a.srt")) == 0)
        }
        for encoding in ["KOI8-R", "ISO-8859-5", "windows-1251"] {
            shell("iconv -f UTF-8 -t \(encoding) a.srt > n.srt")
            #expect(
                difference(drawn("n.srt", "--subtitle-encoding", encoding), drawn("a.srt")) == 0)
        }
        let said = Tool.run([
            "poster", scratch.path("a.mkv"), "-o", scratch.path("p.png"), "--subtitles",
            scratch.path("n.srt"),
        ])
        #expect(said.status == 0)
        #expect(said.errors.contains("windows-1251 is a guess"))
        #expect(difference(drawn("n.srt"), drawn("a.srt")) == 0)
    }

    @Test(
        arguments: [
            (
                ["--subtitle-encoding", "nothing", "--subtitles", "a.srt"], 65,
                "does not convert from"
            ),
            (["--subtitles", "no.srt"], 65, "The subtitles are neither SubRip, WebVTT nor ASS."),
            (["--subtitle-encoding", "UTF-8"], 64, "--subtitle-encoding needs --subtitles."),
            (["--subtitle-encoding", "UTF-8", "--subtitles", "track"], 64, "is for a file"),
        ] as [([String], CInt, String)])
    func `a file that cannot be read is an error of its own`(
        options: [String], status: CInt, message: String
    ) {
        scratch.write(Array("1\n00:00:00,000 --> 00:00:05,000\nx\n".utf8), "a.srt")
        scratch.write([0xFF, 0x00, 0x61, 0x62], "no.srt")
        let words = options.map { $0.hasSuffix(".srt") ? scratch.path($0) : $0 }
        let said = Tool.run(
            ["poster", Media.path("small.mp4"), "-o", scratch.path("p.png")] + words)
        #expect(said.status == status)
        #expect(said.errors.contains(message), "\(said.errors)")
        #expect(!said.errors.contains("lazyimg formats"))
    }
}
