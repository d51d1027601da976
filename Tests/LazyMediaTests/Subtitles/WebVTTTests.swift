import Testing

@testable import LazyMedia

/// The tags and settings of WebVTT's cues.
@Suite struct WebVTTTests {
    @Test(arguments: [
        ("<i>a</i> <b>b</b> <u>c</u>", "{\\i1}a{\\i0} {\\b1}b{\\b0} {\\u1}c{\\u0}"),
        ("<c.yellow>y</c> z", "{\\c&HFFFF&}y{\\c} z"),
        ("<i.red>r</i>", "{\\i1}{\\c&HFF&}r{\\i0}{\\c}"),
        ("<c.red>a<c.lime>b</c>c</c>", "{\\c&HFF&}a{\\c&HFF00&}b{\\c&HFF&}c{\\c}"),
        ("<v Bob>hi</v> <lang en>x</lang>", "hi x"), ("<ruby>a<rt>b</rt></ruby>", "ab"),
        ("a<00:00:01.000>b", "ab"), ("&lt;b&gt; &amp;amp; &#65;&#x42;", "<b> &amp; AB"),
        ("{\\an8}x", "\\{\\\u{2060}an8\\}x"), ("<b>a</i>b", "{\\b1}ab"), ("a < b", "a"),
        ("<unknown>a</unknown>", "a"), ("a\nb\n", "a\\Nb"), ("&nbsp;x", "\u{A0}x"),
        ("&#0;&#xD800;&nothing;", "&#0;&#xD800;&nothing;"),
    ])
    func `tags become those of ASS`(cue: String, script: String) {
        let words = WebVTTMarkup(Array(cue.utf8)[...]).words
        #expect(String(decoding: words, as: UTF8.self) == script)
    }

    struct Case: Sendable {
        var settings: String
        var lines = 1
        var tags: String
        /// Left, right and vertical, in a picture of 384x288.
        var margins: [Int]

        init(_ settings: String, lines: Int = 1, _ tags: String, _ margins: [Int]) {
            (self.settings, self.lines, self.tags, self.margins) = (settings, lines, tags, margins)
        }
    }

    // By the rules of WebVTT 7.2, with lines of 16.
    @Test(arguments: [
        Case("line:0", "{\\an8}", [0, 0, 0]), Case("line:2", "{\\an8}", [0, 0, 32]),
        Case("line:-1", "{\\an2}", [0, 0, 0]), Case("line:-3", "{\\an2}", [0, 0, 32]),
        Case("line:-2", lines: 2, "{\\an2}", [0, 0, 0]), Case("line:99", "{\\an2}", [0, 0, 0]),
        Case("line:-99", "{\\an8}", [0, 0, 0]), Case("line:50%", "{\\an8}", [0, 0, 144]),
        Case("line:100%", "{\\an2}", [0, 0, 0]), Case("line:75%,end", "{\\an2}", [0, 0, 72]),
        Case("line:50%,center", "{\\an5}{\\pos(192,144)}", [0, 0, 0]),
        Case("align:start", "{\\an1}", [0, 0, 10]), Case("align:right", "{\\an3}", [0, 0, 10]),
        Case("position:25% size:50%", "{\\an2}", [0, 192, 10]),
        Case("position:50% align:left", "{\\an1}", [192, 0, 10]),
        Case("position:75%,line-right size:25% align:center", "{\\an2}", [192, 96, 10]),
        Case("size:50% line:0 align:end", "{\\an9}", [192, 0, 0]),
    ])
    func `settings are a place`(test: Case) throws {
        let settings = try #require(WebVTTSettings(Array(test.settings.utf8)[...]))
        let place = settings.place(lineCount: test.lines, isRightToLeft: false)
        #expect(place.tags == test.tags)
        #expect([place.left, place.right, place.vertical] == test.margins)
        #expect(place.style == "Cue")
    }

    @Test func `the beginning of a line is right in Arabic and Hebrew`() throws {
        let settings = try #require(WebVTTSettings(Array("align:start".utf8)[...]))
        #expect(WebVTTMarkup(Array("(שלום)".utf8)[...]).isRightToLeft)
        #expect(settings.place(lineCount: 1, isRightToLeft: true).tags == "{\\an3}")
    }

    @Test(arguments: [
        "", "line:", "line:x", "line:50", "position:200%", "size:-1%", "align:up", "region:a",
        "vertical:up", "line:99999999999999999999", "line:1e3%", ":", "line:nan%",
    ])
    func `settings without a meaning are none`(settings: String) {
        if settings == "line:50" {
            #expect(WebVTTSettings(Array(settings.utf8)[...])?.line == .number(50))
        } else {
            #expect(WebVTTSettings(Array(settings.utf8)[...]) == nil)
        }
    }
}
