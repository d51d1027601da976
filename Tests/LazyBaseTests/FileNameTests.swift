import Testing

@testable import LazyBase

@Suite struct FileNameTests {
    static let names: [[UInt8]] = [
        Array("plain.gif".utf8), Array("ü e\u{301} 漢 🎞.gif".utf8), [0xFF],
        [0x61, 0xE9, 0x2E, 0x67],
        // Cut off, overlong, a surrogate, beyond the last scalar, continuation bytes alone.
        [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x8E], [0xC0, 0xAF], [0xED, 0xA0, 0x80],
        [0xF4, 0x90, 0x80, 0x80], [0x80, 0xBF], [0x41, 0xFF, 0xC3, 0xA9, 0xFE, 0x42],
        // The scalars that stand for bytes, and their neighbors.
        Array("\u{10F780}".utf8), Array("a\u{10F7FF}b".utf8), Array("\u{10F77F}\u{10F800}".utf8),
        Array("\u{10F7E9}".utf8) + [0xE9], Array(0x80...0xFF), Array(1...0xFF),
    ]

    @Test(arguments: names) func `every name is converted back exactly`(name: [UInt8]) {
        let text = FileName.text(name)
        #expect(FileName.bytes(text) == name)
        #expect(text.systemPath == name.map { CChar(bitPattern: $0) } + [0])
        #expect(text.readable == String(decoding: name, as: UTF8.self))
    }

    @Test func `no two names have the same text`() {
        let texts = Set(Self.names.map { Array(FileName.text($0).utf8) })
        #expect(texts.count == Self.names.count)
    }

    @Test func `a UTF-8 name is its own text`() {
        #expect(FileName.text(Array("e\u{301}.gif".utf8)).unicodeScalars.count == 6)
        #expect(FileName.text(Array("é.gif".utf8)) == "é.gif")
    }

    @Test(
        arguments: [
            ([0x61, 0xFF, 0x62], "a\\xffb"), ([0x1B, 0x5B, 0x32, 0x4A], "\\x1b[2J"),
            (Array("a\nb\tc\rd".utf8), "a\\nb\\tc\\rd"), (Array("\u{9B}x".utf8), "\\xc2\\x9bx"),
            ([0x7F], "\\x7f"), (Array("ü 漢".utf8), "ü 漢"),
            (Array("\u{10F7E9}".utf8), "\u{10F7E9}"),
            // Marks of direction and other characters that move or hide text, and breaks of lines.
            (Array("a\u{202E}b\u{2067}c".utf8), "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa7c"),
            (Array("\u{61C}\u{200E}\u{AD}".utf8), "\\xd8\\x9c\\xe2\\x80\\x8e\\xc2\\xad"),
            (Array("\u{2028}\u{FEFF}".utf8), "\\xe2\\x80\\xa8\\xef\\xbb\\xbf"),
            // Joiners are letters of Persian and of emoji.
            (Array("می\u{200C}روم 👩\u{200D}🚀".utf8), "می\u{200C}روم 👩\u{200D}🚀"),
        ] as [([UInt8], String)])
    func `text for people has no control characters and no invalid bytes`(
        name: [UInt8], shown: String
    ) {
        #expect(FileName.text(name).shown == shown)
    }

    @Test func `lines of events stay complete`() {
        #expect("a\u{1B}[1m\nb\r\n".shownLines == "a\\x1b[1m\nb\\r\n")
    }

    @Test(
        arguments: [
            ("a/b//c", ["a", "b", "c"], "a/b/", "c"), ("/", [], "/", ""), ("x", ["x"], ".", "x"),
            // A mark behind a slash is the beginning of a name.
            ("/\u{301}a/b", ["\u{301}a", "b"], "/\u{301}a", "b"),
            ("d/\u{301}x", ["d", "\u{301}x"], "d", "\u{301}x"),
        ] as [(String, [String], String, String)]) func `paths are split at every slash`(
            path: String, parts: [String], folder: String, name: String
        )
    {
        #expect(path.pathParts.map { Array($0.utf8) } == parts.map { Array($0.utf8) })
        if path != "a/b//c" { #expect(path.parentFolder == folder) }
        #expect(path.lastName == name)
    }

    @Test func `two normalizations of an accent are two names`() {
        #expect(PathKey("e\u{301}") != PathKey("\u{E9}"))
        #expect(!"e\u{301}".isSamePath(as: "\u{E9}"))
    }

    private struct Names: Decodable {
        let input: String?
        let output: String?
        let outputs: [String]?

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: JSONMember.self)
            input = try members.name("input")
            output = try members.name("output")
            outputs = try members.names("outputs")
        }
    }

    @Test func `JSON contains a name that is not UTF-8 twice`() throws {
        let raw = FileName.text([0x61, 0xE9])
        let value = JSONValue.object([
            ("input", .name(raw)), ("output", .name("ü")), ("outputs", .names(["b", raw])),
        ])
        #expect(
            value.line
                == #"{"input": "a\#u{FFFD}", "inputBytes": "Yek=", "output": "ü", "outputs": ["b", "a\#u{FFFD}"], "outputsBytes": ["Yg==", "Yek="]}"#
        )
        let read = try JSONText.decode(value.line, as: Names.self)
        #expect(read.input == raw && read.output == "ü")
        #expect(read.outputs == ["b", raw])
        // A name that has the scalars themselves is text, and is read as such.
        let own = FileName.text(Array("\u{10F7E9}".utf8))
        let line = JSONValue.object([("input", .name(own))]).line
        #expect(line == "{\"input\": \"\u{10F7E9}\"}")
        #expect(try JSONText.decode(line, as: Names.self).input == own)
    }
}
