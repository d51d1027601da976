import Foundation
import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// File names that are not UTF-8, through the executable and back.
@Suite(.ownThreads) struct RawNameTests {
    private let scratch = Scratch()
    /// `caf\xe9`, as Latin-1 has it.
    private static let cafe: [UInt8] = [0x63, 0x61, 0x66, 0xE9]
    private static let gif = Array(".gif".utf8)
    private static let png = Array(".png".utf8)

    private func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

    private func makeClip(_ name: [UInt8]) -> [UInt8] {
        let path = scratch.raw(name)
        Tool.write(Tool.bytes(Media.path("counter.gif")), raw: path)
        return path
    }

    @Test(arguments: ["info", "poster", "animate", "convert", "sheet", "loop"])
    func `every command keeps the bytes of a name`(command: String) throws {
        let input = makeClip(Self.cafe + Self.gif)
        let options: [String: [String]] = [
            "info": [], "poster": [], "animate": ["-W", "16"], "convert": ["-f", "apng"],
            "sheet": ["-W", "16"], "loop": ["--set", "3"],
        ]
        var all = words(command, "--json") + (options[command] ?? []).map { Array($0.utf8) }
        if command != "info" { all += [Array("-o".utf8), scratch.raw(Array("out/".utf8))] }
        let outcome = Tool.run(raw: all + [input])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let value = try ParsedJSON.parse(outcome.text)
        let bytes = value["inputBytes"]?.string.flatMap { Data(base64Encoded: $0) }
        #expect(bytes.map { Array($0) } == input)
        #expect(value["input"]?.string?.contains("caf\u{FFFD}.gif") == true)
        guard command != "info" else { return }
        let names = Tool.rawNames(in: scratch.raw(Array("out".utf8)))
        #expect(!names.isEmpty && names.allSatisfy { $0.starts(with: Self.cafe) })
    }

    @Test func `an output next to the input keeps the bytes of its name`() {
        let input = makeClip(Self.cafe + Self.gif)
        #expect(Tool.run(raw: words("poster") + [input]).status == 0)
        #expect(
            Tool.rawNames(in: scratch.raw([])) == [Self.cafe + Self.gif, Self.cafe + Self.png])
        let second = scratch.raw([0xFF] + Self.png)
        #expect(Tool.run(raw: words("poster") + [input, second]).status == 0)
        #expect(Tool.bytes(raw: second).starts(with: [0x89, 0x50]))
    }

    @Test func `a name that contains the private scalars is another file`() {
        let stand = Array("\u{10F7E9}".utf8)
        let one = makeClip([0xE9] + Self.gif)
        Tool.write(Array("no media".utf8), raw: scratch.raw(stand + Self.gif))
        #expect(Tool.run(raw: words("info") + [one]).status == 0)
        #expect(Tool.run(raw: words("info") + [scratch.raw(stand + Self.gif)]).status == 65)
    }

    @Test func `a pattern in a batch finds every file`() throws {
        mkdir(scratch.path("in"), 0o700)
        for name in [[0xFF], Self.cafe, Array("e\u{301}".utf8), Array("\u{E9}".utf8)] {
            _ = makeClip(Array("in/".utf8) + name + Self.gif)
        }
        let batch = words(
            "batch", "poster", "--jsonl", "--journal", scratch.path("j"), "-W", "16", "-o",
            scratch.path("out"), scratch.path("in/*.gif"))
        let first = Tool.run(raw: batch)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.errors.contains("4 made"))
        #expect(
            Tool.rawNames(in: scratch.raw(Array("out".utf8)))
                == [Self.cafe, Array("e\u{301}".utf8), Array("\u{E9}".utf8), [0xFF]].map {
                    $0 + Self.png
                })
        // The journal knows them apart.
        #expect(Tool.run(raw: batch).errors.contains("4 existed"))
        let resumed = Tool.run(raw: words("batch", "--resume", scratch.path("j")))
        #expect(resumed.errors.contains("4 existed"), "\(resumed.errors)")
    }

    @Test func `lists and manifests name such files`() {
        let input = makeClip(Self.cafe + Self.gif)
        for (separator, options) in [(UInt8(0), ["-0"]), (UInt8(ascii: "\n"), [])] {
            Tool.write(input + [separator], to: scratch.path("list"))
            let outcome = Tool.run(
                ["batch", "poster", "--no-journal", "-o", scratch.path("out\(separator)")]
                    + ["--files-from", scratch.path("list")] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let out = scratch.raw(Array("out\(separator)".utf8))
            #expect(Tool.rawNames(in: out) == [Self.cafe + Self.png])
        }
        let line = JSONValue.object([
            ("input", .name(FileName.text(input))),
            ("output", .name(FileName.text(scratch.raw([0xFE] + Self.png)))),
        ]).line
        Tool.write(Array(line.utf8), to: scratch.path("m.jsonl"))
        let outcome = Tool.run([
            "batch", "poster", "--no-journal", "--manifest", scratch.path("m.jsonl"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(Tool.bytes(raw: scratch.raw([0xFE] + Self.png)).count > 0)
    }

    @Test func `a resumed batch has its original arguments`() {
        _ = makeClip(Self.cafe + Self.gif)
        let batch =
            words("batch", "--journal", scratch.path("j"), "poster", "-o")
            + [scratch.raw([0xFF]), scratch.raw(Self.cafe + Self.gif)]
        #expect(Tool.run(raw: batch).status == 0)
        let made = scratch.raw([0xFF, 0x2F] + Self.cafe + Self.png)
        #expect(unlink(made.map { CChar(bitPattern: $0) } + [0]) == 0)
        #expect(Tool.run(raw: words("batch", "--resume", scratch.path("j"))).status == 0)
        #expect(Tool.bytes(raw: made).count > 0)
    }

    @Test func `a file: URL has percent-encoded bytes`() {
        let input = makeClip(Self.cafe + Self.gif)
        #expect(input.count > 4)
        let outcome = Tool.run(["info", "--json", "file://\(scratch.path)/caf%E9.gif"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func `a message shows invalid bytes, and no control sequences`() {
        let name = Array("\u{1B}[2Jx".utf8) + [0xFF]
        let missing = Tool.run(raw: words("info") + [scratch.raw(name)])
        #expect(missing.status == 66)
        #expect(missing.errors.contains("\\x1b[2Jx\\xff"))
        #expect(!missing.errors.utf8.contains(0x1B))
        let clip = makeClip(name + Self.gif)
        let outcome = Tool.run(
            raw: words("convert", "-f", "apng", "--allow-larger") + [clip])
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("\\x1b[2Jx\\xff.gif"))
        #expect(!outcome.errors.utf8.contains(0x1B))
    }

    @Test func `metadata in a file has the exact bytes`() {
        let input = makeClip(Self.cafe + Self.gif)
        #expect(Tool.run(raw: words("info") + [input]).output.starts(with: input))
    }

    @Test func `a thumbnail has the URI of the bytes`() {
        let address = ThumbnailAddress(path: FileName.text(Array("/caf".utf8) + [0xE9]))
        #expect(address.uri == "file:///caf%E9")
    }
}
