import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch

@Suite(.ownThreads) struct JournalCompactionTests {
    private static func line(_ number: Int, _ state: JournalRecord.State = .done) -> String {
        JournalRecord(
            state, output: "/o/\(number).png", input: "/i/\(number).mp4", identity: nil,
            options: "x"
        ).line
    }

    /// Three runs over ten inputs, the last of which stopped after four; `torn` is half a line.
    private static func text(torn: String = "") -> String {
        let runs = (0..<3).map { run in
            "{\"state\": \"run\", \"folder\": \"/\(run)\", \"arguments\": []}\n"
                + (0..<(run == 2 ? 4 : 10)).map { line($0, .start) + line($0) }.joined()
        }
        return runs.joined() + line(4, .start) + torn
    }

    private func journal(_ scratch: Scratch, _ text: String) -> String {
        let path = scratch.path("j.jsonl")
        Tool.write(Array(text.utf8), to: path)
        return path
    }

    @Test func `a journal of old lines keeps the last of each output and the last command`() throws
    {
        let scratch = Scratch()
        let path = journal(scratch, Self.text(torn: "{\"state"))
        let before = Journal.replay(Self.text())
        let made = try Journal(path, leastCompacted: 20)
        let lines = String(decoding: Tool.bytes(path), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 11)
        #expect(lines.filter { $0.contains("\"run\"") }.count == 1)
        #expect(lines.contains { $0.contains("/2") })
        #expect(Journal.replay(lines.joined(separator: "\n")) == before)
        for number in 0..<10 {
            let name = "/o/\(number).png"
            #expect(made.record(of: name) == before[PathKey(name)])
        }
        // It continues in the new file.
        try made.append(Self.line(11))
        #expect(Journal.replay(String(decoding: Tool.bytes(path), as: UTF8.self)).count == 11)
        #expect(scratch.names() == ["j.jsonl"])
    }

    @Test func `a journal that others have open is not replaced`() throws {
        let scratch = Scratch()
        let path = journal(scratch, Self.text())
        let other = try Journal(path)
        #expect(other.claim("/o/4.png"))
        let own = try Journal(path, leastCompacted: 20)
        #expect(String(decoding: Tool.bytes(path), as: UTF8.self) == Self.text())
        #expect(!own.claim("/o/4.png") && own.claim("/o/5.png"))
        try other.append(Self.line(4))
        own.readOn()
        #expect(own.record(of: "/o/4.png")?.state == .done)
    }

    @Test func `the next process to open it shares the new file`() throws {
        let scratch = Scratch()
        let path = journal(scratch, Self.text())
        let first = try Journal(path, leastCompacted: 20)
        #expect(Tool.bytes(path).count < Self.text().utf8.count / 3)
        let second = try Journal(path, leastCompacted: 20)
        #expect(first.claim("/o/a") && !second.claim("/o/a"))
        try first.append(Self.line(20))
        second.readOn()
        #expect(second.record(of: "/o/20.png") != nil)
    }

    @Test(arguments: [
        ("short", 64, text()), ("of new lines", 10, (0..<30).map { line($0) }.joined()),
        ("of one run", 10, (0..<30).map { line($0, .start) + line($0) }.joined()), ("empty", 0, ""),
    ])
    func `other journals are not compacted`(name: String, least: Int, text: String) {
        var index = JournalIndex()
        _ = Array(text.utf8).withUnsafeBytes { index.add($0[...]) }
        #expect(!JournalCompaction.isWorthwhile(index, least: least), "\(name)")
    }

    @Test func `files of a killed process are ignored`() throws {
        let scratch = Scratch()
        let path = journal(scratch, Self.text())
        Tool.write(Array(Self.line(99).utf8), to: path + ".new")
        _ = try Journal(path, leastCompacted: 20)
        #expect(
            Journal.replay(String(decoding: Tool.bytes(path), as: UTF8.self))[PathKey("/o/99.png")]
                == nil)
        #expect(scratch.names() == ["j.jsonl"])
    }

    @Test func `a link stays a link, and the mode is kept`() throws {
        let scratch = Scratch()
        let path = journal(scratch, Self.text())
        chmod(path, 0o600)
        symlink("j.jsonl", scratch.path("link"))
        _ = try Journal(scratch.path("link"), leastCompacted: 20)
        var status = stat()
        lstat(scratch.path("link"), &status)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
        stat(path, &status)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(status.st_size < Self.text().utf8.count / 3)
    }
}
