import Support
import Testing

@testable import LazyMedia

/// The encodings of files of subtitles; the bytes are those of iconv's program.
@Suite(.ownThreads) struct SubtitleTextTests {
    private func bytes(_ text: String, in encoding: String) throws -> [UInt8] {
        let scratch = Scratch()
        scratch.write(Array(text.utf8), "a")
        let bytes = Peer.output(of: "iconv -f UTF-8 -t '\(encoding)' '\(scratch.path("a"))'")
        try #require(!bytes.isEmpty)
        return bytes
    }

    private static let words = [
        "de": "Grüße aus Köln – schön, “naïve”\n", "ru": "Привет, как дела? Хорошо, спасибо.\n",
        "ja": "こんにちは。元気ですか。ありがとう。\n", "zh": "你好，你怎么样？ 我很好！ 谢谢你。 再见吧\n",
        "ko": "안녕 하세요 반갑 습니다 감사 합니다\n",
    ]

    @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-8"])
    func `a mark decides`(encoding: String) throws {
        let text = Self.words["de", default: ""] + "\u{1F600}"
        let marked = try bytes("\u{FEFF}" + text, in: encoding)
        for given in [nil, "windows-1251"] {
            let read = try SubtitleText(marked, encoding: given, fileName: "a.srt")
            #expect(read.text == text)
            #expect(read.warnings.isEmpty)
        }
    }

    @Test(arguments: [
        ("de", "windows-1252", "a.srt"), ("ru", "windows-1251", "a.srt"), ("ru", "KOI8-R", "a.srt"),
        ("ja", "CP932", "a.srt"), ("zh", "GB18030", "a.srt"), ("ko", "CP949", "a.srt"),
        ("de", "UTF-16LE", "a.srt"), ("de", "UTF-16BE", "a.srt"),
        ("ru", "windows-1251", "film.rus.srt"), ("zh", "GB18030", "a.zh.srt"),
    ])
    func `what is not UTF-8 is a guess that is said`(
        language: String, encoding: String, name: String
    ) throws {
        let text = Self.words[language, default: ""]
        let read = try SubtitleText(try bytes(text, in: encoding), encoding: nil, fileName: name)
        #expect(read.text == text)
        let said = try #require(read.warnings.first).message
        #expect(said.contains("not in UTF-8: \(encoding) is a guess"))
        #expect(said.contains("--subtitle-encoding"))
    }

    /// The beginnings of files in each format, and what is around a line: all of it is ASCII in every language.
    private static let formats = [
        (
            "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\n"
                + String(repeating: "Style: Another style,DejaVu Sans,24\n", count: 40)
                + "\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n",
            "Dialogue: 0,0:00:00.00,0:00:05.00,Another style,,0,0,0,,{\\an8\\c&H00ffff&}", ""
        ),
        (
            "WEBVTT\n\n00:00.000 --> 00:05.000 line:0 position:50% align:start\n",
            "<v The narrator of the film><c.yellow.large>", "</c></v>"
        ),
        ("1\n00:00:00,000 --> 00:00:05,000\n", "<font color=\"lightgoldenrodyellow\">", "</font>"),
    ]

    @Test(arguments: [
        ("de", "windows-1252"), ("ru", "windows-1251"), ("ru", "KOI8-R"), ("ja", "CP932"),
    ])
    func `a guess is made of what is shown, not of the words of a format`(
        language: String, encoding: String
    ) throws {
        let words = Self.words[language, default: ""].filter { $0 != "\n" }
        for (head, before, after) in Self.formats {
            let text = head + before + words + after + "\r\n"
            let read = try SubtitleText(
                try bytes(text, in: encoding), encoding: nil, fileName: "a.ass")
            #expect(read.text == text)
            let said = try #require(read.warnings.first).message
            #expect(said.contains("\(encoding) is a guess"), "\(said)")
        }
    }

    @Test(arguments: [
        ("ru", "KOI8-R"), ("ru", "ISO-8859-5"), ("ja", "EUC-JP"), ("zh", "GBK"), ("de", "CP437"),
        ("de", "UTF-16BE"),
    ])
    func `an encoding that is named is used`(language: String, encoding: String) throws {
        // The page of the PC has neither dash nor quotes.
        let text = Self.words[language, default: ""].filter { !"–“”".contains($0) }
        let read = try SubtitleText(
            try bytes(text, in: encoding), encoding: encoding, fileName: "a.srt")
        #expect(read.text == text)
        #expect(read.warnings.isEmpty)
    }

    @Test func `bytes that are not in a named encoding are counted`() throws {
        let read = try SubtitleText([0x61, 0xFF, 0x62, 0xFE], encoding: "ASCII", fileName: "")
        #expect(read.text == "a\u{FFFD}b\u{FFFD}")
        #expect(read.warnings.map(\.message) == ["2 bytes of the subtitles are not in ASCII."])
    }

    @Test(arguments: [
        "nothing", "", "UTF-8//IGNORE", "../x", "a b", String(repeating: "a", count: 99),
    ])
    func `an encoding that is not known is an error`(name: String) {
        let error = #expect(throws: MediaError.self) {
            try SubtitleText([0x61], encoding: name, fileName: "")
        }
        #expect(error?.code == .unsupported)
    }
}
