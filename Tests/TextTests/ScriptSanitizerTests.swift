import LazyMedia
import Support
import Testing

@testable import LazyEditing

/// What reaches libass of scripts that ask for too much.
@Suite struct ScriptSanitizerTests {
    private static let size = PixelSize(width: 640, height: 360)

    private static func script(_ texts: [String], styles: String = "", info: String = "") -> String
    {
        """
        [Script Info]
        PlayResX: 640
        PlayResY: 360
        \(info)
        [V4+ Styles]
        Format: Name, Fontname, Fontsize, Outline, Shadow, Angle
        Style: Default,DejaVu Sans,20,2,1,0
        \(styles)
        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """ + texts.map { "Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,\($0)\n" }.joined()
    }

    private func sanitized(_ text: String) -> String? {
        ScriptSanitizer(script: Self.script([text]), for: Self.size).lines.first.map {
            // By bytes: a mark behind a comma is one character with it.
            let fields = Array($0.text.utf8).split(
                separator: UInt8(ascii: ","), maxSplits: 8, omittingEmptySubsequences: false)
            return String(decoding: fields[8], as: UTF8.self)
        }
    }

    @Test(arguments: [
        #"Hello, world\NAnd another\hline"#, #"{\an8\i1}up{\i0} \{plain\}"#,
        #"{\pos(12.5,-3)\fad(100,200)\blur0.6\bord1.5\3c&H0000FF&}sign"#,
        #"{\move(0,0,10,10,0,500)\t(0,500,1.5,\fs30\fscx120)\t(\frz360)}move"#,
        #"{\clip(0,0,320,180)}a{\iclip(1,m 0 0 l 10 0 10 10 )}b"#,
        #"{\p1}m 0 0 l 100 0 100 100 0 100 {\p0}box"#, #"{\k20}ka{\kf30}ra{\r}o{\rOther}ke"#,
        #"{\fnSome Font\fs24\b700\fsp2\fax0.2}styled"#, "{}a", "1 < 2 } {",
    ])
    func `an event of usual size stays as it is`(text: String) {
        #expect(sanitized(text) == text)
    }

    @Test(arguments: [
        (#"{\fs20000000}W"#, #"{\fs1440}W"#), (#"{\fs(30)}W"#, #"{\fs30}W"#),
        (#"{\ fs1e9}W"#, #"{\fs1440}W"#), (#"{\fs+5}W"#, #"{\fs30}W"#),
        (#"{\fs40\fs+5\fs-5}W"#, #"{\fs40\fs60\fs30}W"#),
        (#"{\bord5000\xbord900\ybord1}x"#, #"{\bord90\xbord90\ybord1}x"#),
        (#"{\shad-5000\blur300\be1000}x"#, #"{\shad-360\blur90\be20}x"#),
        (#"{\fscx1000000}i"#, #"{\fscx10000}i"#), (#"{\fax9999}x"#, #"{\fax20}x"#),
        (#"{\t(0,1000,\fs99999)}x"#, #"{\t(0,1000,\fs1440)}x"#),
        (#"{a note\b1 of{nothing}x"#, #"{\b1}x"#), (#"{\unknown5\zz}x"#, #"{\u0}x"#),
        (#"{\t(\t(\t(\fs99999}x"#, #"{}x"#), (#"{\p99}m 0 0"#, #"{\p30}m 0 0 "#),
        (#"{\pos(1e300,nan)}x"#, #"{\pos(10000000,0)}x"#),
    ])
    func `numbers of tags are brought within their bounds`(text: String, wanted: String) {
        #expect(sanitized(text) == wanted)
    }

    @Test func `marks on one character are those of the Stream-Safe Text Format`() {
        let text = "a" + String(repeating: "\u{301}", count: 20_000) + "b"
        #expect(sanitized(text) == "a" + String(repeating: "\u{301}", count: 30) + "b")
        let controls = String(repeating: "\u{202E}\u{202D}", count: 20_000) + "b"
        #expect(sanitized(controls)?.unicodeScalars.count == 31)
    }

    @Test func `a long event is cut`() {
        #expect(sanitized(String(repeating: "a ", count: 500_000))?.utf8.count == 4096)
        let tags = String(repeating: #"{\t(0,1000,\fs100)}"#, count: 100_000)
        #expect((sanitized(tags + "x")?.utf8.count ?? 0) <= 1 << 18 + 100)
    }

    @Test(arguments: [
        #"{\fs1000\fscx1000\fscy1000}WWWW"#,
        #"{\p1}m 0 0 "# + String(repeating: "b 0 0 100000 100000 0 100000 ", count: 10),
        #"{\p1\fscx10000\fscy10000}m 0 0 l 1000 0 1000 1000"#,
        #"{\clip(m 0 0 l 100000 0 100000 100000)}x"#,
        #"{\frz45\q2}"# + String(repeating: "W", count: 4000),
        #"{\frx80\org(-100000,0)\fs100}WWWWWWWW"#,
        String(repeating: #"{\bord90\blur90}W"#, count: 1000),
    ])
    func `an event that is too large to be drawn is left out, and said`(text: String) {
        let script = ScriptSanitizer(script: Self.script([text, "b"]), for: Self.size)
        #expect(script.lines.map { $0.text.hasSuffix(",b") } == [true])
        #expect(script.leftOut == 1)
        #expect(script.warning?.message.contains("One text") == true)
    }

    @Test(arguments: [
        (2000, "line", 1000), (3000, #"{\fs90\blur20\bord20\frx30\fry%}WWWWWWWW"#, 100),
        (100, #"{\p1}m 0 0 "# + String(repeating: "l 9 9 ", count: 5000), 10),
        (100, String(repeating: "a", count: 4000), 15),
    ])
    func `no more is shown at a time than can be drawn`(count: Int, text: String, most: Int) {
        let texts = (0..<count).map { text.replacing("%", with: "\($0)") + "\($0)" }
        let script = ScriptSanitizer(script: Self.script(texts), for: Self.size)
        #expect(script.lines.count <= most && script.lines.count > 1)
        #expect(script.lines.count + script.leftOut == count)
    }

    @Test func `what follows each other is shown completely, and equal signs count once`() {
        let lines = (0..<3000).map {
            SubtitleTrack.Line(
                start: Int64($0) * 100, duration: 100, text: "\($0),0,Default,,0,0,0,,text")
        }
        let track = SubtitleTrack(header: Self.script([]), lines: lines)
        let script = ScriptSanitizer(track, for: Self.size)
        #expect(script.lines.count == 3000 && script.warning == nil)
        // A gradient of a hundred slices of one sign.
        let slices = (0..<300).map {
            #"{\an5\fs120\bord4\blur4\c&H\#(10 + $0 % 80)FF00&\clip(0,\#($0),640,\#($0 + 1))}Title Card"#
        }
        let signs = ScriptSanitizer(script: Self.script(slices), for: Self.size)
        #expect(signs.lines.count == 300)
    }

    @Test func `sizes and styles are brought within their bounds`() {
        let script = ScriptSanitizer(
            script: Self.script(
                ["a"], styles: "Style: Big,Some Font,99999999,4000,-9999,45\n",
                info: "PlayResX: 99999999\nLayoutResX: 1\nLayoutResY: 9999\nTitle: x\n"),
            for: Self.size)
        let header = script.header
        #expect(header.contains("Style: Big,Some Font,1440,90,-360,45\n"))
        #expect(header.contains("PlayResX: 16384\n") && header.contains("PlayResY: 360\n"))
        #expect(!header.contains("Layout") && !header.contains("Title"))
        let styles = String(repeating: "Style: S,F,20,2,1,0\n", count: 5000)
        let many = ScriptSanitizer(script: Self.script(["a"], styles: styles), for: Self.size)
        #expect(many.header.split(separator: "\nStyle: ").count - 1 == ScriptBounds.styles)
        let wide = "Style: S" + String(repeating: ",1", count: 5000) + "\n"
        let names = "Format: Name" + String(repeating: ",Fontsize,FontSize", count: 2500) + "\n"
        let long = ScriptSanitizer(script: Self.script(["a"], styles: names + wide), for: Self.size)
        #expect(long.header.utf8.count < 1000)
    }

    @Test func `fields are read by their names, and fonts in the text are dropped`() {
        let script = """
            [Script Info]
            [V4 Styles]
            Format: Fontsize, Name
            Style: 30,Default
            [Fonts]
            fontname: a.ttf
            Style: nothing
            [Events]
            Format: End, Start, Style, Text
            Dialogue: 0:00:02.00,0:00:01.50,*Default, one, two
            Comment: 0:00:02.00,0:00:01.50,Default,three
            Dialogue: 0:00:01.00,0:00:01.50,Default,backwards
            Dialogue: later,0:00:01.50,Default,no time
            """
        let read = ScriptSanitizer(script: script, for: Self.size)
        #expect(
            read.lines == [
                .init(start: 1500, duration: 500, text: "0,0,Default,,0,0,0,, one, two")
            ])
        #expect(read.header.contains("[V4 Styles]\nFormat: Fontsize, Name\nStyle: 30,Default\n"))
        #expect(!read.header.contains("ttf") && !read.header.contains("nothing"))
    }

    @Test(arguments: [
        #"{\fn(\fs900)}a"#, #"{\r(\fs900)}a"#, #"{\1c(\fs900)}a"#, #"{\t(\fn(\fs900))}a"#,
    ])
    func `a name contains no tag`(text: String) {
        #expect(sanitized(text)?.contains(#"\fs"#) == false)
    }

    @Test(arguments: 0..<200)
    func `whatever comes of damage, it passes unchanged a second time`(seed: Int) {
        var random = RandomBytes(UInt64(seed))
        let words = [
            "{", "}", "\\", "(", ")", ",", "\\fs", "\\t(", "\\clip(", "\\p1", "m ", "9e9", "-1",
            "&H",
            "\\r", "\\N", " ", "a", "\u{301}", "é", "\\fn", "1", ".", "+", "\\org(", "\\q2", "\\be",
        ]
        let text = (0..<80).map { _ in words[Int(random.next() % UInt64(words.count))] }.joined()
        let once = sanitized(text)
        if let once { #expect(sanitized(once) == once, "\(text)") }
    }
}

/// Numbers that follow from a seed (SplitMix64).
private struct RandomBytes: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
