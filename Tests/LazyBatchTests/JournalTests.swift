import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch

@Suite(.ownThreads) struct JournalTests {
    private static func record(
        _ state: JournalRecord.State, _ output: String = "/o/a.png", size: Int? = 10,
        options: String = "x", identity: String? = "1:2:3:4.0", content: String? = "c0",
        ready: Int = 0
    ) -> JournalRecord {
        var record = JournalRecord(
            state, output: output, input: "a.mp4",
            identity: identity.flatMap { InputIdentity($0) }, options: options, content: content,
            files: size.map { [JournalRecord.File(path: "a.png", size: $0)] } ?? [])
        record.readyCount = ready
        return record
    }

    @Test func `a record is read as it was written`() {
        for state in [JournalRecord.State.start, .ready, .done, .error] {
            var record = Self.record(state, "/o/a \"\n.png", ready: state == .ready ? 1 : 0)
            record.volume = Volume(device: 7, identifier: .max)
            #expect(record.line.hasSuffix("}\n"))
            #expect(record.line.filter { $0 == "\n" }.count == 1)
            #expect(JournalRecord(record.line.dropLast()) == record)
        }
    }

    @Test func `a line with UTF-8 names has the form of earlier versions`() throws {
        let line =
            #"{"state": "done", "output": "/o/ä.png", "input": "/i/ä.gif", "options": "x", "identity": null, "files": [["/o/ä.png", 5]]}"#
        let record = try #require(JournalRecord(line))
        #expect(record.output == "/o/ä.png" && record.files == [.init(path: "/o/ä.png", size: 5)])
        #expect(record.line == line + "\n")
    }

    @Test func `a line preserves names that are not UTF-8`() throws {
        let names = [[0x2F, 0xFF], [0x2F, 0xE9, 0x62]].map { FileName.text($0) }
        let record = JournalRecord(
            .done, output: names[0], input: names[1], identity: nil, options: "x",
            files: [.init(path: names[0], size: 5), .init(path: "/ü", size: 6)])
        let read = try #require(JournalRecord(record.line.dropLast()))
        #expect(read == record)
        #expect(PathKey(read.output) == PathKey(names[0]))
        // An earlier version reads a list of pairs, and nothing it would stumble over.
        let value = try ParsedJSON.parse(record.line.dropLast())
        #expect(value["files"]?.elements?.allSatisfy { $0.elements?.count == 2 } == true)
    }

    @Test func `a journal truncated at any byte has the records of its complete lines`() {
        let lines = [
            Self.record(.start).line, Self.record(.done).line, Self.record(.start, "/o/b.png").line,
        ]
        let text = lines.joined()
        for length in 0...text.utf8.count {
            let torn = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            let records = Journal.replay(torn)
            // A line is whole without its line end.
            let first = records[PathKey("/o/a.png")]?.state
            let ends = [lines[0].utf8.count - 1, lines[0].utf8.count + lines[1].utf8.count - 1]
            #expect(first == (length >= ends[1] ? .done : length >= ends[0] ? .start : nil))
        }
    }

    @Test func `lines appended to a truncated journal are kept`() throws {
        let scratch = Scratch()
        let path = scratch.path("deep/er/j.jsonl")
        do {
            let journal = try Journal(path)
            try journal.append(Self.record(.done).line)
            try journal.append(String(Self.record(.done, "/o/b.png").line.prefix(30)))
        }
        let again = try Journal(path)
        try again.append(Self.record(.done, "/o/c.png").line)
        #expect(again.record(of: "/o/a.png")?.state == .done)
        #expect(again.record(of: "/o/c.png") == nil)
        again.readOn()
        #expect(again.record(of: "/o/c.png")?.state == .done)
        #expect(again.record(of: "/o/b.png") == nil)
        // What another process notes.
        try Journal(path).append(Self.record(.start, "/o/d.png").line)
        again.readOn()
        #expect(again.record(of: "/o/d.png")?.state == .start)
    }

    private static func facts(
        _ record: JournalRecord?, size: Int? = 10, options: String = "x", earlier: [String] = [],
        identity: String? = "1:2:3:4.0", takes: Bool = false, isForced: Bool = false,
        input: String? = nil
    ) -> SkipDecision.Facts {
        SkipDecision.Facts(
            record: record, input: input ?? record?.input ?? "a.gif",
            identity: identity.flatMap { InputIdentity($0) }, options: options,
            earlierOptions: earlier, sizes: [("a.png", size)], acceptsExisting: takes,
            isForced: isForced)
    }

    @Test(
        arguments: [
            ("nothing is known", facts(nil), .make(overwrites: false)),
            ("nothing is there", facts(nil, size: nil), .make(overwrites: false)),
            ("it is taken", facts(nil, takes: true), .skip(notesAgain: false)),
            (
                "there is nothing to take", facts(nil, size: nil, takes: true),
                .make(overwrites: false)
            ),
            ("it is made", facts(record(.done)), .skip(notesAgain: false)),
            ("it is wanted anew", facts(record(.done), isForced: true), .make(overwrites: true)),
            ("it is gone", facts(record(.done), size: nil), .make(overwrites: true)),
            ("it is somebody else's", facts(record(.done), size: 11), .make(overwrites: false)),
            ("other options", facts(record(.done), options: "y"), .make(overwrites: true)),
            (
                "the same options by their earlier name",
                facts(record(.done), options: "y", earlier: ["w", "x"]), .skip(notesAgain: true)
            ),
            (
                "other options by their earlier name",
                facts(record(.done), options: "y", earlier: ["w"]), .make(overwrites: true)
            ),
            (
                "nothing to make it of, by its earlier name",
                facts(record(.nothing), options: "y", earlier: ["x"]), .skip(notesAgain: true)
            ),
            (
                "touched, the same content", facts(record(.done), identity: "1:2:3:5.0"),
                .skip(notesAgain: true)
            ),
            (
                "touched, other content",
                facts(record(.done, content: "c1"), identity: "1:2:3:5.0"),
                .make(overwrites: true)
            ),
            (
                "touched, content not known",
                facts(record(.done, content: nil), identity: "1:2:3:5.0"),
                .make(overwrites: true)
            ),
            (
                "killed before its end", facts(record(.start, size: nil), size: nil),
                .make(overwrites: true)
            ),
            (
                "killed before its end, and somebody else's is there",
                facts(record(.start, size: nil)), .make(overwrites: false)
            ),
            ("killed after its end", facts(record(.ready, ready: 1)), .skip(notesAgain: true)),
            (
                "killed before its name, an older one is there", facts(record(.ready)),
                .make(overwrites: true)
            ),
            (
                "killed before its name, somebody else's is there",
                facts(record(.ready, ready: 1), size: 11), .make(overwrites: false)
            ),
            (
                "killed after its end, other options",
                facts(record(.ready, ready: 1), options: "y"), .make(overwrites: true)
            ),
            (
                "made of another input",
                facts(record(.done, content: "c1"), identity: "1:3:3:4.0", input: "/b.gif"),
                .make(overwrites: false)
            ),
            (
                "made of another input with other options",
                facts(record(.done), options: "y", input: "/b.gif"), .make(overwrites: false)
            ),
            (
                "made of the same content under another name",
                facts(record(.done), identity: "1:3:3:4.0", input: "/b.gif"),
                .skip(notesAgain: true)
            ),
            (
                "killed after its end, by another input",
                facts(record(.ready, ready: 1), identity: "1:3:3:4.0", input: "/b.gif"),
                .make(overwrites: false)
            ),
            ("killed while it was replaced", facts(record(.start)), .make(overwrites: true)),
            ("failed before", facts(record(.error, size: nil), size: nil), .make(overwrites: true)),
            ("failed, an older one is there", facts(record(.error)), .make(overwrites: true)),
            (
                "failed, somebody else's is there", facts(record(.error, size: nil)),
                .make(overwrites: false)
            ),
        ] as [(String, SkipDecision.Facts, SkipDecision)])
    func `existing outputs and foreign files are kept`(
        name: String, facts: SkipDecision.Facts, decision: SkipDecision
    ) {
        #expect(SkipDecision(facts, content: { "c0" }) == decision, "\(name)")
    }

    @Test func `content is read only if nothing else decides`() {
        for facts in [
            Self.facts(Self.record(.done)), Self.facts(nil), Self.facts(nil, size: nil),
            Self.facts(Self.record(.done), options: "y", earlier: ["x"]),
        ] {
            _ = SkipDecision(facts) {
                Issue.record("it was read")
                return nil
            }
        }
    }

    @Test func `a file's digest equals that of sha256sum, with and without a library`() {
        let scratch = Scratch()
        for count in [0, 1, 63, 64, 65, 300_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 8) }
            Tool.write(bytes, to: scratch.path("f"))
            let expected = Peer.output(of: "sha256sum < '\(scratch.path("f"))'").prefix(64)
            #expect(
                Digest.content(scratch.path("f"))?.hex == String(decoding: expected, as: UTF8.self))
            #expect(Digest.sha256(bytes).hex == String(decoding: expected, as: UTF8.self))
            unlink(scratch.path("f"))
        }
        #expect(Digest.content(scratch.path("none")) == nil)
    }
}
