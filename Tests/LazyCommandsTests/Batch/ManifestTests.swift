import Support
import Testing

@testable import CommandSupport
@testable import LazyBatch
@testable import LazyCommands
@testable import LazyFiles
@testable import LazyTerminal
@testable import MediaJobs

@Suite struct ManifestTests {
    @Test func `a line has an input, an output, a job and options`() throws {
        let entry = try Manifest.entry(
            #"{"input": "a \u00e4.mp4", "output": "b.webp", "job": "animate", "options": {"width": 320, "max_bytes": "5MB", "reverse": true, "loop": false, "at": -1, "header": ["A: b", "C: d"], "speed": 1.5, "fit": null}}"#
        )
        #expect(entry.input == "a ä.mp4" && entry.output == "b.webp" && entry.job == "animate")
        #expect(
            entry.words == [
                "--width=320", "--max-bytes=5MB", "--reverse", "--at=-1", "--header=A: b",
                "--header=C: d", "--speed=1.5",
            ])
        #expect(try Manifest.entry(#" {"input":"a"} "#).words == [])
    }

    @Test(arguments: [
        ("{", "is no JSON: at byte 2, a name in quotes is missing"),
        (#"{"input": "a"} x"#, "is no JSON: at byte 16, there is something behind the value"),
        (#"{"input": 'a'}"#, "is no JSON: at byte 11, there is no value"),
        ("[1]", "is not an object in braces"), ("{}", "names no input"),
        (#"{"input": ""}"#, "names no input"), (#"{"input": 3}"#, "has an input that is no text"),
        (#"{"input": "a", "out": "b"}"#, "has 'out', which is none of input, output, job, options"),
        (#"{"input": "a", "options": [1]}"#, "has options that are not an object in braces"),
        (#"{"input": "a", "options": {"output": "x"}}"#, "has 'output' among its options"),
        (#"{"input": "a", "options": {"-w": 1}}"#, "has '-w', which is the name of no option"),
        (#"{"input": "a", "options": {"w": {}}}"#, "has an object as the option 'w'"),
        (
            #"{"input": "a", "input": "b"}"#,
            "is no JSON: at byte 16, the name 'input' is there twice"
        ),
    ]) func `a bad line says what is wrong with it`(line: String, reason: String) {
        #expect(throws: Manifest.Fault(reason: reason)) { try Manifest.entry(line) }
    }

    // RFC 8259 and what parsers are often wrong about.
    @Test(arguments: [
        ("[1, -0, 1.5e3, 0.1E-2]", true), ("[01]", false), ("[1.]", false), ("[.5]", false),
        ("[+1]", false), ("[-]", false), ("[1,]", false), ("{\"a\":1,}", false),
        ("[\"\\x\"]", false),
        ("[\"\\ud83d\\ude00\"]", true), ("[\"\\ud83d\"]", false), ("[\"\t\"]", false),
        ("nul", false),
        ("", false), (" null ", true), ("[1e999]", false), ("\"\\/\\b\\f\\n\\r\\t\\\"\\\\\"", true),
        (String(repeating: "[", count: 100), false), ("[1 2]", false), ("\"a", false),
        ("[--1]", false),
        ("[1.e5]", false), ("[-01]", false), ("123456789012345678901", true),
    ]) func `JSON is read by its rules`(text: String, isGood: Bool) {
        #expect(((try? JSONParser.parse(text)) != nil) == isGood, "\(text)")
    }

    @Test func `what is written is read back the same`() throws {
        let text = "a\"\\\n\t\u{1}\u{7F}ä😀/"
        let value = JSONValue.object([
            ("a", .array([.string(text), .integer(-5), .null])), ("b", .bool(true)),
        ])
        let read = try JSONParser.parse(value.line)
        #expect(read.line == value.line)
        #expect(read["a"]?.elements?.first?.string == text)
    }
}
