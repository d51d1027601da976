import Support
import Testing

@testable import LazyMedia

/// The tags of SubRip against FFmpeg's decoder.
@Suite(.ownThreads) struct SubRipMarkupTests {
    private let scratch = Scratch()

    private static let cues = [
        "<i>a</i> <b>b</b> <u>c</u> <s>d</s>", "<font color=\"#ffff00\">y</font> {\\an8}",
        "<font size=\"20\" face=\"Arial\">x <font color=red>r</font> y</font>",
        "{\\an8}{\\i1}a{\\i0}", "{\\i1}a{\\i0} b", "{Y:i}x y",
        "a << b <3 c <unknown>d</unknown>", "a<br>b<br/>c",
        "<I>up</I> <FONT COLOR=#00FF00>g</FONT>", "a\\Nb\\hc", "x & &amp; y", "<b>open",
        " lead  trail  \n second ", "<font color=\"notacolor\">n</font>", "< i>x</ i>",
        "{\\an5}{\\an8}x{\\b1}y", "<font color=0x00ff00>z</font></font>", "</i>x<", "a>b<c d>e",
        "<font color=\"blue\" size=30>q</font><font>r</font>", "a\r\nb", "<font face='x'>s",
    ]

    /// The texts of the events that FFmpeg makes of a file.
    private func theirs(_ file: String) -> [String] {
        scratch.write(Array(file.utf8), "a.srt")
        let script = Peer.output(
            of: "ffmpeg -v quiet -i '\(scratch.path("a.srt"))' -f ass - </dev/null")
        return String(decoding: script, as: UTF8.self).split(whereSeparator: \.isNewline)
            .filter { $0.hasPrefix("Dialogue: ") }
            .map { line in
                line.split(separator: ",", maxSplits: 9, omittingEmptySubsequences: false)
                    .last.map(String.init) ?? ""
            }
    }

    private func ours(_ file: String) throws -> [String] {
        let track = try #require(try CueFile(file).track)
        return track.lines.map { line in
            line.text.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
                .last.map(String.init) ?? ""
        }
    }

    @Test(.needs("ffmpeg")) func `tags become those that FFmpeg makes of them`() throws {
        let file = Self.cues.enumerated().map { number, text in
            "\(number + 1)\n00:00:\(10 + number),000 --> 00:00:\(10 + number),900\n\(text)\n"
        }.joined(separator: "\n")
        let wanted = theirs(file)
        #expect(wanted.count == Self.cues.count)
        // The quotes of a name are of no use in ASS.
        #expect(try ours(file) == wanted.map { $0.replacing("\\fn'x'", with: "\\fnx") })
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            "X1:100 X2:200 Y1:300 Y2:400", "X1:100 Y1:300", "X1:100", "X1:50 X2:50 Y1:60 Y2:60",
        ])
    func `coordinates of a DVD are a place`(coordinates: String) throws {
        let file = "1\n00:00:01,000 --> 00:00:02,000 \(coordinates)\nText\n"
        let wanted = theirs(file)
        // FFmpeg's demuxer passes on all four or none.
        if coordinates.contains("X2") { #expect(try ours(file) == wanted) }
        #expect(try ours(file).first?.hasSuffix("Text") == true)
    }

    @Test(arguments: [
        ("x {note} y", "x \\{note\\} y"), ("a {unclosed b", "a \\{unclosed b"),
        ("C:\\new", "C:\\\u{2060}new"), ("a\tb", "a b"),
    ])
    func `what is no tag stays text`(text: String, script: String) throws {
        #expect(try ours("1\n00:00:01,000 --> 00:00:02,000\n\(text)\n") == [script])
    }

    @Test func `tags of any number take time in proportion`() throws {
        for text in ["<", "{\\", "<font ", "{Y:", "<font color=red>", "&", "{\\an8}"] {
            let file =
                "1\n00:00:01,000 --> 00:00:02,000\n"
                + String(repeating: text, count: 20_000 / text.count) + "\n"
            #expect(try CueFile(file).track?.lines.count ?? 0 <= 1)
        }
    }
}
