import LazyMedia
import Support
import Testing

@testable import LazyEditing

/// Subtitles of files as scripts of libass.
@Suite struct SubtitleScriptTests {
    private func events(_ file: String) throws -> [String] {
        try SubtitleScript(file).text.split(separator: "\n").filter { $0.hasPrefix("Dialogue:") }
            .map { String($0.dropFirst("Dialogue: 0,".count)) }
    }

    @Test(arguments: [
        "1\n00:00:01,000 --> 00:00:02,500\nOne\nline\n\n2\n00:01:02,030 --> 01:00:00,000\nTwo\n",
        "\u{FEFF}1\r\n00:00:01,000 --> 00:00:02,500\r\nOne\r\nline\r\n\r\n2\r\n00:01:02,030 --> 01:00:00,000\r\nTwo",
        "WEBVTT\n\nNOTE nothing\n\n00:01.000 --> 00:02.500 align:start\nOne\nline\n\nid\n00:01:02.030 --> 01:00:00.000\n<i>Two</i>\n",
    ])
    func `SubRip and WebVTT become the same events`(file: String) throws {
        #expect(
            try events(file) == [
                "0:00:01.00,0:00:02.50,Default,,0,0,0,,One\\Nline",
                "0:01:02.03,1:00:00.00,Default,,0,0,0,,Two",
            ])
    }

    @Test(arguments: [
        ("<b>a</b> &lt;b&gt; &amp;amp;", "a <b> &amp;"), ("{\\an8}up", "\\{\\\u{2060}an8\\}up"),
        ("a\tb", "a b"), ("5 < 6", "5 < 6"),
    ])
    func `a text stays plain`(text: String, plain: String) throws {
        let file = "1\n00:00:01,000 --> 00:00:02,000\n\(text)\n"
        #expect(try events(file).first?.hasSuffix(",," + plain) == true)
    }

    @Test func `a script of libass is taken as it is`() throws {
        let script = "[Script Info]\nScriptType: v4.00+\n"
        #expect(try SubtitleScript(script).text == script)
    }

    @Test(arguments: [
        "", "words", "1\n00:00:01 --> 00:00:02\nno milliseconds\n",
        "1\n00:00:05,000 --> 00:00:02,000\nbackwards\n", "99999999999:00:00,000 --> 1:00,000\nx\n",
        String(repeating: "-->", count: 10_000),
    ])
    func `what is no subtitle is an error`(file: String) {
        let error = #expect(throws: MediaError.self) { try SubtitleScript(file) }
        #expect(error?.code == .unsupported)
    }
}
