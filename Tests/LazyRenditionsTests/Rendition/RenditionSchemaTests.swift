import LazyRenditions
import Support
import Testing

/// The schema of renditions, as another validator reads it.
@Suite(.needs("jsonschema")) struct RenditionSchemaTests {
    /// The texts that the validator takes, by its own words.
    private static func valid(_ texts: [String]) -> [Bool] {
        let scratch = Scratch()
        let schema = scratch.write(Array(Rendition.jsonSchema.utf8), "schema.json")
        let paths = texts.enumerated().map { number, text in
            scratch.write(Array(text.utf8), "\(number).json")
        }
        return paths.map { path in
            Peer.output(of: "jsonschema -i \(path) \(schema) >/dev/null 2>&1 && printf yes")
                == Array("yes".utf8)
        }
    }

    @Test func `what is read is valid`() {
        let rows = RenditionTextTests.rows.map(\.json)
        for (row, isValid) in zip(rows, Self.valid(rows)) { #expect(isValid, "\(row)") }
    }

    @Test func `what is not read is not valid`() {
        let rows = [
            "[]", "{}", #"{"kind": "postre"}"#, #"{"kind": "poster", "adit": {}}"#,
            #"{"kind": "poster", "edit": {"size": "0x"}, "at": 7}"#,
            #"{"kind": "poster", "edit": {"trim": 1}}"#,
            #"{"kind": "loop", "edit": {}}"#, #"{"kind": "sheet", "indexes": "pdf"}"#,
            #"{"kind": "animation", "loopSeam": "glue"}"#,
            #"{"kind": "sheet", "indexes": "framehash"}"#, #"{"kind": "frames", "indexes": "vtt"}"#,
        ]
        for row in rows { #expect(throws: WordError.self) { try Rendition(json: row) } }
        for (row, isValid) in zip(rows, Self.valid(rows)) { #expect(!isValid, "\(row)") }
    }
}
