import Foundation
import LazyMedia
import Support
import Testing

@testable import LazyEditing

/// The fonts that a process without files gets.
@Suite struct FontTests {
    private static let size = PixelSize(width: 320, height: 180)

    private static func script(_ text: String, style: String = "Some Font,20,0,0")
        -> ScriptSanitizer
    {
        let script = """
            [Script Info]
            PlayResX: 320
            PlayResY: 180
            [V4+ Styles]
            Format: Name, Fontname, Fontsize, Bold, Italic
            Style: Default,\(style)
            Style: Other,Other Font,20,-1,0
            Style: Unused,Unused Font,20,0,-1
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,\(text)
            """
        return ScriptSanitizer(script: script, for: size)
    }

    @Test func `families and styles are those that events use`() {
        let plain = FontUse(Self.script("añ"))
        #expect(plain.families == ["Some Font"])
        #expect(!plain.hasBold && !plain.hasItalic)
        #expect(plain.characters == [0x61, 0xF1])
        let more = FontUse(Self.script(#"{\rOther}a{\fn@Vertical\i1}b{\fnSome Font}"#))
        #expect(more.families == ["Some Font", "Other Font", "Vertical"])
        #expect(more.hasBold && more.hasItalic)
    }

    @Test func `a font gets the names that a script asks for`() throws {
        let path = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
        let font = try FileBytes(path: path).contiguous().withBytes { [UInt8]($0) }
        let named = try #require(FontNames.renamed(font, index: 0, ["A", "Schrift für Ü"]))
        #expect(named.count > font.count)
        let utf16 = "Schrift für Ü".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(Array(named.suffix(utf16.count)) == utf16)
        // Only the place of the table is another.
        #expect(zip(named, font).filter { $0 != $1 }.count <= 8)
        #expect(FontNames.renamed(font, index: 1, ["A"]) == nil)
        for count in [0, 3, 11, 12, 40, 200] {
            #expect(
                FontNames.renamed(Array(font.prefix(count)), index: 0, ["A"]) == nil || count >= 40)
        }
        #expect(FontNames.renamed(Array("ttcf".utf8), index: 0, ["A"]) == nil)
    }

    @Test func `a file is what it was made of, and its damage an error`() throws {
        let script = Self.script("text")
        let font = SubtitleTrack.Font(name: "f", bytes: [1, 2, 3])
        let file = TextFile(
            size: Self.size, header: script.header, lines: script.lines, fonts: [font])
        let read = try TextFile(file.bytes)
        #expect(read.size == file.size && read.header == file.header)
        #expect(read.lines == file.lines && read.fonts == file.fonts)
        for count in 0..<file.bytes.count {
            #expect(throws: MediaError.self) { try TextFile(Array(file.bytes.prefix(count))) }
        }
    }

    @Test(arguments: [
        ("Hello, world", "DejaVu Sans,20,0,0"), ("Grüße ☃ ∀ ж", "Some Font,20,0,0"),
        (#"{\b1}bold {\i1}both{\fnDejaVu Serif} serif"#, "sans-serif,24,0,0"),
        ("mono", "monospace,30,-1,0"), ("slanted", "DejaVu Sans Mono,30,0,-1"),
    ])
    func `fonts that are passed draw as those of the system`(text: String, style: String) throws {
        let script = Self.script(text, style: style)
        let fonts = try SystemFonts().fonts(for: FontUse(script))
        #expect(!fonts.isEmpty && fonts.count <= 32)
        let own = try TextEngine(fonts: [], hasSystemFonts: true)
        try own.set(header: script.header, script.lines)
        let file = TextFile(
            size: Self.size, header: script.header, lines: script.lines, fonts: fonts)
        let passed = try TextEngine(try TextFile(file.bytes))
        func canvas(_ engine: TextEngine) throws -> Bitmap {
            try Bitmap(size: Self.size, isOpaque: false) {
                engine.render(at: .seconds(1), into: $0, of: Self.size)
            }
        }
        let here = try canvas(own)
        #expect(here == (try canvas(passed)))
        #expect(here.withBytes { $0.contains { $0 != 0 } })
    }

    /// A bound of work in time of the processor: looking for each of them takes a hundred times as long.
    @Test func `glyphs that no font has are not looked for each time they are drawn`() throws {
        let text = String(repeating: "\u{10FFFD} ", count: 2000)
        let script = """
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,\(text)
            """
        let renderer = TextRenderer()
        _ = try Bitmap(size: Self.size, isOpaque: false) { (rows) throws(MediaError) in
            try renderer.draw(.script(script), at: .zero, over: rows, of: Self.size)
            let began = Self.processorTime
            for second in 1..<9 {
                try renderer.draw(.script(script), at: .seconds(second), over: rows, of: Self.size)
            }
            #expect(Self.processorTime - began < 2)
        }
    }

    /// Seconds that a processor has worked for this thread.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func `a canvas drawn over a picture is the picture drawn on`() throws {
        let script = Self.script(#"{\blur2\bord3\4a&H80&\shad4\1a&H40&}Two{\1c&H0000FF&} colors"#)
        let engine = try TextEngine(fonts: [], hasSystemFonts: true)
        try engine.set(header: script.header, script.lines)
        let fill = { (rows: UnsafeMutableRawBufferPointer) in
            for index in rows.indices { rows[index] = UInt8(truncatingIfNeeded: index &* 37) }
        }
        let drawn = try Bitmap(size: Self.size, isOpaque: false) { (rows) throws(MediaError) in
            fill(rows)
            try engine.draw(at: .seconds(1), over: rows, of: Self.size)
        }
        let media = try TextDecoder().open(
            MemoryBytes(
                TextFile(
                    size: Self.size, header: script.header, lines: script.lines,
                    fonts: try SystemFonts().fonts(for: FontUse(script))
                ).bytes), type: .text, limits: .untrusted)
        let text = IsolatedText(try media.makeReader(ReaderOptions()))
        let composed = try Bitmap(size: Self.size, isOpaque: false) { (rows) throws(MediaError) in
            fill(rows)
            try text.draw(at: .seconds(1), over: rows)
        }
        #expect(drawn == composed)
        #expect(drawn != (try Bitmap(size: Self.size, isOpaque: false) { fill($0) }))
    }
}
