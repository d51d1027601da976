import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch

@Suite(.ownThreads) struct JournalIndexTests {
    private static func record(
        _ output: String, content: String? = "c0", identity: String? = "1:2:3:4.0",
        files: [String] = ["/o/a.png"]
    ) -> JournalRecord {
        JournalRecord(
            .done, output: output, input: "/i/ä.mp4",
            identity: identity.flatMap { InputIdentity($0) }, options: "x", content: content,
            files: files.map { JournalRecord.File(path: $0, size: 12) })
    }

    private func usual(_ line: String) -> JournalRecord? {
        Array(line.utf8).withUnsafeBytes { JournalRecord(usual: $0) }
    }

    private func index(_ text: String) -> JournalIndex {
        var index = JournalIndex()
        _ = Array(text.utf8).withUnsafeBytes { index.add($0[...]) }
        return index
    }

    @Test func `lines of plain names are read without the decoder of JSON, and equally`() {
        let records = [
            Self.record("/o/a.png"), Self.record("/o/ö.png", content: nil),
            Self.record("/o/b.png", identity: nil, files: []),
            Self.record("/o/c.png", files: ["/o/c.png", "/o/c-02.png"]),
        ]
        for var record in records {
            if record.files.count == 2 {
                (record.state, record.readyCount) = (.ready, 1)
                record.volume = Volume(device: 66305, identifier: 12)
            }
            let line = String(record.line.dropLast())
            #expect(usual(line) == record)
            #expect(JournalRecord(line) == record)
            for length in 0..<line.utf8.count {
                #expect(usual(String(decoding: line.utf8.prefix(length), as: UTF8.self)) == nil)
            }
        }
    }

    @Test func `other names and forms are left to the decoder`() {
        let raw = FileName.text([0x2F, 0xFF])
        for record in [
            Self.record("/o/\"a\".png"), Self.record(raw), Self.record("/o", files: [raw]),
        ] {
            let line = String(record.line.dropLast())
            #expect(usual(line) == nil)
            #expect(JournalRecord(line) == record)
            let index = index(record.line)
            #expect(index.line(of: record.output)?.count == line.utf8.count)
        }
        #expect(usual("{\"output\": \"/o\", \"state\": \"done\"}") == nil)
    }

    @Test func `the last line of each output and of the command counts`() {
        let run = "{\"state\": \"run\", \"folder\": \"/\", \"arguments\": []}\n"
        let text =
            run + Self.record("/o/a").line + "\n" + Self.record("/o/b").line + run + "torn\n"
            + Self.record("/o/a", content: nil).line + "{\"state\": \"done\", \"outp"
        let index = index(text)
        #expect(index.lineCount == 6 && index.currentCount == 3)
        let lines = index.currentLines.map { line in
            String(decoding: text.utf8.dropFirst(line.offset).prefix(line.count), as: UTF8.self)
        }
        #expect(
            lines.map { $0 + "\n" } == [
                Self.record("/o/b").line, run, Self.record("/o/a", content: nil).line,
            ])
        #expect(index.line(of: "/o/c") == nil)
    }

    @Test func `a long journal and long lines are read piece by piece`() throws {
        let scratch = Scratch()
        let long = "/o/" + String(repeating: "x", count: 300_000)
        var text = Self.record(long).line
        for number in 0..<3000 { text += Self.record("/o/\(number)").line }
        Tool.write(Array(text.utf8), to: scratch.path("j"))
        let journal = try Journal(scratch.path("j"))
        #expect(journal.record(of: long)?.output == long)
        for number in [0, 1499, 2999] {
            #expect(journal.record(of: "/o/\(number)") == Self.record("/o/\(number)"))
        }
        try journal.append(Self.record("/o/7", content: "new").line)
        journal.readOn()
        #expect(journal.record(of: "/o/7")?.content == "new")
    }

    @Test func `a torn line that looks whole does not hide the record before it`() throws {
        let scratch = Scratch()
        let output = "/o/a]}"
        let whole = Self.record(output)
        // A name that ends like a line, and a line that ends there.
        let torn = "{\"state\": \"done\", \"output\": \"/o/a]}\", \"input\": \"/i/x}"
        Tool.write(Array((whole.line + torn + "\n").utf8), to: scratch.path("j"))
        #expect(try Journal(scratch.path("j")).record(of: output) == whole)
    }
}

/// What a journal knows of files that were made.
@Suite(.ownThreads) struct JournalFilesTests {
    private let scratch = Scratch()

    private func write(_ text: String, _ name: String) -> JournalRecord.File? {
        JournalRecord.File(path: scratch.write(Array(text.utf8), name))
    }

    private func record(_ input: String, _ names: [String]) -> JournalRecord {
        JournalRecord(
            .done, output: scratch.path(names[0]), input: scratch.path(input), identity: nil,
            options: "x", files: names.compactMap { write($0, $0) })
    }

    @Test func `all files of an output are ours until somebody changes them`() throws {
        let journal = try Journal(scratch.path("j"))
        let record = record("a.mp4", ["a.jpg", "a-02.jpg", "a.vtt"])
        try journal.append(record.line)
        journal.readOn()
        #expect(journal.record(of: record.output) == record)
        for name in ["a.jpg", "a-02.jpg", "a.vtt"] {
            #expect(journal.isOurs(scratch.path(name)))
            // Touched, with the same content.
            utimes(scratch.path(name), nil)
            #expect(journal.isOurs(scratch.path(name)))
            // Other content of the same size.
            _ = write(String(repeating: "x", count: name.utf8.count), name)
            #expect(!journal.isOurs(scratch.path(name)))
        }
        #expect(!journal.isOurs(scratch.path("a.mp4")))
        #expect(try Journal(scratch.path("j")).input(of: record.output) == record.input)
    }

    @Test func `a line with seals is read with and without the decoder, cut at any byte not`() {
        let line = record("a.mp4", ["a.jpg", "b.jpg"]).line.dropLast()
        let read = JournalRecord(line)
        #expect(read?.files.allSatisfy { $0.seal != nil } == true)
        #expect(Array(line.utf8).withUnsafeBytes { JournalRecord(usual: $0) } == read)
        for length in 0..<line.utf8.count {
            #expect(JournalRecord(String(decoding: line.utf8.prefix(length), as: UTF8.self)) == nil)
        }
    }

    @Test func `pruning removes and forgets what is ours of inputs that are gone`() throws {
        let path = scratch.path("j")
        let journal = try Journal(path)
        scratch.write([1], "kept.mp4")
        for (input, names) in [
            ("gone.mp4", ["gone.png"]), ("kept.mp4", ["kept.png"]),
            ("more.mp4", ["more.jpg", "more-2.jpg"]),
            ("out.mp4", ["out.png"]),
        ] {
            try journal.append(record(input, names).line)
        }
        _ = write("drawn on", "more-2.jpg")
        let gone = GoneInputs([scratch.path])
        let pruned = try journal.prune(gone) { input, _ in !input.hasSuffix("out.mp4") }
        #expect(pruned.removed == ["gone.png", "more.jpg"].map(scratch.path))
        #expect(pruned.changed == [scratch.path("more-2.jpg")])
        #expect(scratch.files == ["j", "kept.mp4", "kept.png", "more-2.jpg", "out.png"])
        // It is forgotten, also by others and when the journal is compacted.
        #expect(try journal.prune(gone) { _, _ in true }.removed == [scratch.path("out.png")])
        let again = try Journal(path, leastCompacted: 1)
        #expect(again.record(of: scratch.path("gone.png")) == nil)
        #expect(again.records.map(\.output) == [scratch.path("kept.png")])
    }
}
