import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch

@Suite struct ManifestTests {
    @Test func `a line has an input, an output, a job and options`() throws {
        let entry = try Manifest.entry(
            #"{"input": "a \u00e4.mp4", "output": "b.webp", "job": "animate", "options": {"width": 320, "max_bytes": "5MB", "reverse": true, "loop": false, "at": -1, "header": ["A: b", "C: d"], "speed": 1.5, "fit": null}}"#
        )
        #expect(entry.input == "a ä.mp4" && entry.output == "b.webp" && entry.job == "animate")
        #expect(
            entry.words == [
                "--at=-1", "--header=A: b", "--header=C: d", "--max-bytes=5MB", "--reverse",
                "--speed=1.5", "--width=320",
            ])
        #expect(try Manifest.entry(#" {"input":"a"} "#).words == [])
    }

    @Test(arguments: [
        ("{", "is not valid: it must be a JSON object"),
        (#"{"input": "a"} x"#, "is not valid: it must be a JSON object"),
        ("[1]", "is not valid: it must be a JSON object"), ("{}", "names no input"),
        (#"{"input": ""}"#, "names no input"),
        (#"{"input": 3}"#, "is not valid: 'input' has a value of the wrong kind"),
        (#"{"input": "a", "out": "b"}"#, "has 'out', which is none of input, output, job, options"),
        (
            #"{"input": "a", "options": [1]}"#,
            "is not valid: 'options' has a value of the wrong kind"
        ),
        (#"{"input": "a", "options": {"output": "x"}}"#, "has 'output' among its options"),
        (
            #"{"input": "a", "options": {"-w": 1}}"#,
            "has '-w', which is not the name of an option"
        ),
        (
            #"{"input": "a", "options": {"w": {}}}"#,
            "is not valid: 'w' has a value of the wrong kind"
        ),
        (
            #"{"inputBytes": "?"}"#, "is not valid: 'inputBytes' has a value of the wrong kind"
        ),
    ]) func `an invalid line names its error`(line: String, reason: String) {
        #expect(throws: Manifest.Fault(reason: reason)) { try Manifest.entry(line) }
    }

    @Test func `written records are read unchanged`() throws {
        let text = "a\"\\\n\t\u{1}\u{7F}ä😀/"
        let value = JSONValue.object([
            ("a", .array([.string(text), .integer(-5), .null])), ("b", .bool(true)),
        ])
        let read = try ParsedJSON.parse(value.line)
        #expect(read["a"]?.elements?.first?.string == text)
    }
}
