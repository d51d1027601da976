import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// The command as users run it.
@Suite(.ownThreads) struct BatchTests {
    private let scratch = Scratch()
    private var journal: String { scratch.path("journal.jsonl") }

    private func batch(_ words: String...) -> Tool.Outcome {
        Tool.run(["batch", "--journal", journal] + words)
    }

    /// So many copies of a clip, which differ in their names alone.
    private func makeClips(_ count: Int, _ name: String = "counter.gif") {
        let bytes = Tool.bytes(Media.path(name))
        mkdir(scratch.path("in"), 0o700)
        for number in 0..<count {
            Tool.write(bytes, to: scratch.path("in/\(String(number).padded(to: 3)).gif"))
        }
    }

    private func events(_ outcome: Tool.Outcome) throws -> [ParsedJSON] {
        #expect(outcome.text.isEmpty || outcome.text.hasSuffix("\n"))
        return try outcome.text.split(separator: "\n").map { try ParsedJSON.parse($0) }
    }

    private func count(_ event: String, _ events: [ParsedJSON]) -> Int {
        events.filter { $0["event"]?.string == event }.count
    }

    @Test func `only missing outputs are made again`() throws {
        makeClips(12)
        let words = ["poster", "-W", "32", "-o", scratch.path("out"), scratch.path("in/*.gif")]
        let run = { try events(Tool.run(["batch", "--journal", journal, "--jsonl"] + words)) }
        let first = try run()
        #expect(count("start", first) == 12 && count("done", first) == 12)
        #expect(first.last?["event"]?.string == "end" && first.last?["made"]?.integer == 12)
        #expect(scratch.names("out").count == 12)
        #expect(count("skip", try run()) == 12)
        // Gone, touched, changed: only the first and the last are made.
        unlink(scratch.path("out/003.png"))
        utimes(scratch.path("in/004.gif"), nil)
        Tool.write(Tool.bytes(Media.path("loop-0.gif")), to: scratch.path("in/005.gif"))
        let third = try run()
        let made = third.filter { $0["event"]?.string == "done" }.compactMap { $0["input"]?.string }
        #expect(Set(made) == [scratch.path("in/003.gif"), scratch.path("in/005.gif")])
        #expect(count("skip", third) == 10)
        #expect(
            count(
                "done",
                try events(
                    batch(
                        "--jsonl", "--force", "poster", "-W", "32", "-o", scratch.path("out"),
                        scratch.path("in/*.gif")))) == 12)
        #expect(
            count(
                "done",
                try events(
                    batch(
                        "--jsonl", "poster", "-W", "33", "-o", scratch.path("out"),
                        scratch.path("in/*.gif")))) == 12)
    }

    @Test func `a file that is not ours is kept`() {
        makeClips(2)
        mkdir(scratch.path("out"), 0o700)
        Tool.write([1, 2, 3], to: scratch.path("out/000.png"))
        let words = ["poster", "-o", scratch.path("out"), scratch.path("in/*.gif")]
        let outcome = batch("--jsonl", words[0], words[1], words[2], words[3])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("out/000.png exists already."))
        #expect(Tool.bytes(scratch.path("out/000.png")) == [1, 2, 3])
        #expect(batch("--skip-existing", words[0], words[1], words[2], words[3]).status == 0)
        #expect(Tool.bytes(scratch.path("out/000.png")) == [1, 2, 3])
        #expect(batch("--force", words[0], words[1], words[2], words[3]).status == 0)
        #expect(Tool.bytes(scratch.path("out/000.png")).count > 3)
    }

    @Test func `after a kill the rest is made, each output complete and once`() throws {
        makeClips(300)
        let words = ["poster", "-W", "32", "-o", scratch.path("out"), scratch.path("in/*.gif")]
        let process = Tool.start(
            ["batch", "--journal", journal, "--jsonl"] + words, output: scratch.path("first"))
        while scratch.names("out").count < 20 { sched_yield() }
        kill(process, SIGKILL)
        #expect(Tool.wait(for: process) == 128 + SIGKILL)
        let before = Set(scratch.names("out").filter { !$0.hasPrefix(".") })
        #expect(before.count < 300)
        // Without the words: the journal has them.
        let outcome = Tool.run(["batch", "--resume", journal])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let after = scratch.names("out")
        #expect(after.count == 300 && !after.contains { $0.hasPrefix(".") })
        let one = Tool.bytes(scratch.path("out/000.png"))
        let others = after.filter { Tool.bytes(scratch.path("out/" + $0)) != one }
        #expect(others.isEmpty)
        #expect(
            outcome.errors.contains("\(300 - before.count) made, \(before.count) existed"))
        let again = try events(Tool.run(["batch", "--resume", journal, "--jsonl"] + words))
        #expect(count("skip", again) == 300 && count("start", again) == 0)
    }

    @Test func `a signal ends a batch with its code and a journal that continues`() throws {
        makeClips(300)
        let words = ["poster", "-W", "32", "-o", scratch.path("out"), scratch.path("in/*.gif")]
        let process = Tool.start(
            ["batch", "--journal", journal, "--jsonl"] + words, output: scratch.path("first"))
        while scratch.names("out").count < 20 { sched_yield() }
        kill(process, SIGINT)
        #expect(Tool.wait(for: process) == 130)
        let lines = scratch.text("first").split(separator: "\n")
        #expect(lines.allSatisfy { (try? ParsedJSON.parse($0)) != nil })
        #expect(scratch.text("journal.jsonl").hasSuffix("}\n"))
        #expect(Tool.run(["batch", "--resume", journal]).status == 0)
        #expect(scratch.names("out").count == 300)
    }

    @Test func `two processes share a folder and a journal`() {
        makeClips(60)
        let words = ["poster", "-W", "32", "-o", scratch.path("out"), scratch.path("in/*.gif")]
        let both = (0..<2).map { number in
            Tool.start(
                ["batch", "--journal", journal, "--jsonl"] + words,
                output: scratch.path("events\(number)"), errors: scratch.path("errors\(number)"))
        }
        #expect(both.map { Tool.wait(for: $0) } == [0, 0])
        #expect(scratch.names("out").count == 60)
        #expect(
            scratch.text("errors0").hasSuffix("s.\n") || scratch.text("errors0").contains("made"))
        #expect(!(scratch.text("errors0") + scratch.text("errors1")).contains("exists"))
        let lines = scratch.text("journal.jsonl").split(separator: "\n")
        #expect(lines.allSatisfy { (try? ParsedJSON.parse($0)) != nil })
        // Nothing was made twice.
        #expect(lines.filter { $0.contains(#""state": "start""#) }.count == 60)
    }

    @Test func `the output of one input does not replace that of another`() {
        makeClips(1)
        mkdir(scratch.path("other"), 0o700)
        Tool.write(Tool.bytes(Media.path("loop-0.gif")), to: scratch.path("other/000.gif"))
        let words = ["poster", "-W", "32", "-o", scratch.path("out")]
        let run = { Tool.run(["batch", "--journal", journal] + words + [scratch.path($0)]) }
        #expect(run("in/000.gif").status == 0)
        let first = Tool.bytes(scratch.path("out/000.png"))
        #expect(run("other/000.gif").status == 73)
        #expect(Tool.bytes(scratch.path("out/000.png")) == first)
        // Also where two machines would do it.
        for number in 1...8 {
            let shard = Tool.run(
                ["batch", "--no-journal", "--shard", "\(number)/8"] + words
                    + [scratch.path("in/000.gif"), scratch.path("other/000.gif")])
            #expect(shard.status == 64 && shard.errors.contains("both be written"))
        }
    }

    @Test func `a closed pipe of events ends the run, which is not reported as done`() {
        makeClips(200)
        let words = "poster -W 16 -o '\(scratch.path("out"))' '\(scratch.path("in"))/*.gif'"
        _ = Tool.shell(
            "{ \"$lazyimg\" batch --no-journal --jsonl \(words) 2>'\(scratch.path("errors"))'; echo $? >'\(scratch.path("status"))'; } | head -n 1"
        )
        #expect(scratch.text("status") == "1\n")
        #expect(scratch.text("errors").contains("The reader of the events is gone"))
    }

    @Test func `a pipe without a writer does not block the others`() {
        makeClips(2)
        mkfifo(scratch.path("in/pipe.gif"), 0o600)
        for dealing in ["name", "content"] {
            let outcome = batch(
                "--shard-by", dealing, "poster", "-o", scratch.path(dealing),
                scratch.path("in/*.gif"))
            #expect(outcome.status == 1 && outcome.errors.contains("is a pipe"))
            #expect(scratch.names(dealing).count == 2)
        }
    }

    @Test func `the shards together make everything, each once`() throws {
        makeClips(40)
        var made: [String] = []
        for number in 1...3 {
            let outcome = Tool.run([
                "batch", "poster", "-W", "16", "--no-journal", "--jsonl", "--shard", "\(number)/3",
                "-o", scratch.path("out\(number)"), scratch.path("in/*.gif"),
            ])
            #expect(outcome.status == 0)
            made += try events(outcome).filter { $0["event"]?.string == "done" }.compactMap {
                $0["input"]?.string
            }
        }
        #expect(made.count == 40 && Set(made).count == 40)
        let alone = Tool.shell(
            "JOB_COMPLETION_INDEX=1 LAZYIMG_SHARDS=3 \"$lazyimg\" batch poster -W 16 --no-journal --shard auto -o '\(scratch.path("auto"))' '\(scratch.path("in"))/*.gif'"
        )
        #expect(alone.status == 0)
        #expect(scratch.names("auto") == scratch.names("out2"))
    }

    @Test func `a failed input does not stop the others, and exit codes differ`() throws {
        makeClips(4)
        Tool.write(Array("GIF89a".utf8), to: scratch.path("in/bad.gif"))
        let some = batch("--jsonl", "poster", "-o", scratch.path("out"), scratch.path("in/*.gif"))
        #expect(some.status == 1)
        let errors = try events(some).filter { $0["event"]?.string == "error" }
        #expect(errors.count == 1 && errors[0]["exitCode"]?.integer == 65)
        #expect(errors[0]["input"]?.string == scratch.path("in/bad.gif"))
        #expect(count("done", try events(some)) == 4)
        #expect(batch("poster", "-o", scratch.path("o2"), scratch.path("in/bad.gif")).status == 65)
        #expect(batch("poster", "-o", scratch.path("o2"), scratch.path("no.gif")).status == 66)
        let fast = batch(
            "--fail-fast", "--jobs", "1", "poster", "-o", scratch.path("o3"),
            scratch.path("in/bad.gif"), scratch.path("in/000.gif"))
        #expect(fast.status == 1)
        #expect(fast.errors.contains("1 failed; the rest was not processed."))
        #expect(scratch.names("o3") == [])
    }

    @Test func `an endless input is given up, and the others are made`() throws {
        makeClips(3)
        mkfifo(scratch.path("in/pipe.gif"), 0o600)
        let outcome = batch(
            "--jsonl", "--timeout", "8", "poster", "-o", scratch.path("out"),
            scratch.path("in/*.gif"))
        #expect(outcome.status == 75)
        #expect(count("done", try events(outcome)) == 3)
        let error = try events(outcome).first { $0["event"]?.string == "error" }
        #expect(error?["code"]?.string == "timeout" && error?["exitCode"]?.integer == 75)
    }

    @Test func `each line of a manifest has a job, an output and options`() throws {
        makeClips(2)
        let lines = [
            #"{"input": "\#(scratch.path("in/000.gif"))", "output": "\#(scratch.path("deep/er/a.jpg"))", "options": {"width": 20, "quality": 60}}"#,
            "",
            #"{"input": "\#(scratch.path("in/001.gif"))", "job": "thumb", "output": "\#(scratch.path("b.ppm"))"}"#,
            #"{"input": "x", "options": {"frob": 1}}"#, "{nonsense}",
            #"{"input": "y", "job": "frob"}"#,
        ]
        Tool.write(Array(lines.joined(separator: "\n").utf8), to: scratch.path("m.jsonl"))
        let outcome = batch("--manifest", scratch.path("m.jsonl"), "--jsonl", "poster")
        #expect(outcome.status == 1)
        #expect(Tool.bytes(scratch.path("deep/er/a.jpg")).starts(with: [0xFF, 0xD8]))
        #expect(Tool.bytes(scratch.path("b.ppm")).starts(with: Array("P6".utf8)))
        #expect(
            outcome.errors.contains("Line 5 of \(scratch.path("m.jsonl")) is not valid"))
        #expect(outcome.errors.contains("Unknown option '--frob'"))
        #expect(outcome.errors.contains("There is no job 'frob'."))
        #expect(count("error", try events(outcome)) == 3)
    }

    @Test func `a list on standard input may contain any bytes of names`() {
        mkdir(scratch.path("in"), 0o700)
        let name = scratch.path("in/a\n b.gif")
        Tool.write(Tool.bytes(Media.path("counter.gif")), to: name)
        Tool.write(Array((name + "\0").utf8) + [0xFF, 0], to: scratch.path("list"))
        let outcome = Tool.run(
            [
                "batch", "poster", "--files-from", "-", "-0", "--no-journal", "-o",
                scratch.path("out"),
            ],
            input: scratch.path("list"))
        #expect(outcome.status == 1)
        #expect(scratch.names("out") == ["a\n b.png"])
        #expect(outcome.errors.contains("Cannot open \\xff: No such file"), "\(outcome.errors)")
    }

    @Test(arguments: [
        (["poster"], CInt(64), "There are no inputs."), ([], 64, "No job is named."),
        (["frob", "x"], 64, "There is no job 'frob'."),
        (["poster", "-o", "-", "x"], 64, "standard output"),
        (["poster", "/nope/*.gif"], 66, "No file matches"), (["--resume", "/nope"], 66, "/nope"),
        (["poster", "--shard", "0/2", "x"], 64, "a shard is written as"),
        (["poster", "--shard", "auto", "x"], 64, "No array index is set"),
        (["poster", "--width", "0", "x"], 64, "a side has 1 to 65535 pixels"),
        (["poster", "-"], 64, "Standard input cannot be an input"),
        (["poster", "--fail-fast", "--keep-going", "x"], 64, "cannot be combined"),
        (["--manifest", "/nope"], 66, "/nope"),
    ]) func `each usage error is one sentence`(
        words: [String], status: CInt, sentence: String
    ) {
        let needsJournal = !words.contains("--resume")
        let outcome = Tool.run(["batch"] + words + (needsJournal ? ["--no-journal"] : []))
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ("animate", ["-W", "24", "--fps", "5"], "000.webp"),
        ("convert", ["-f", "apng"], "000.apng"),
        ("sheet", ["-W", "24"], "000-sheet.jpg"), ("loop", ["--set", "3"], "000.gif"),
    ]) func `each job makes its files, and skips them the next time`(
        job: String, words: [String], name: String
    ) {
        makeClips(2)
        let all = [job] + words + ["-o", scratch.path("out"), scratch.path("in/*.gif")]
        let first = Tool.run(["batch", "--journal", journal] + all)
        #expect(first.status == 0, "\(first.errors)")
        #expect(scratch.names("out").contains(name), "\(scratch.names("out"))")
        let second = Tool.run(["batch", "--journal", journal] + all)
        #expect(second.errors.contains("0 made, 2 existed"), "\(second.errors)")
    }

    @Test func `two inputs with one name are rejected before any work`() {
        makeClips(1)
        mkdir(scratch.path("in/deep"), 0o700)
        Tool.write(Tool.bytes(Media.path("counter.gif")), to: scratch.path("in/deep/000.gif"))
        let words = ["poster", "-o", scratch.path("out"), scratch.path("in/**/*.gif")]
        let refused = Tool.run(["batch", "--no-journal"] + words)
        #expect(refused.status == 64 && refused.errors.contains("would both be written to"))
        #expect(scratch.names("out") == [])
        let kept = Tool.run(
            ["batch", "--no-journal", "--preserve-tree", "--base", scratch.path("in")] + words)
        #expect(kept.status == 0)
        #expect(scratch.names("out") == ["000.png", "deep"])
    }

    @Test
    func `a full disk ends a batch with 74 and no partial files, and the batch continues later`()
        throws
    {
        makeClips(40)
        let disk = scratch.path("disk")
        mkdir(disk, 0o700)
        // Only where the test may mount.
        guard mount("tmpfs", disk, "tmpfs", 0, "size=256k") == 0 else {
            try Test.cancel("a small disk cannot be mounted here")
        }
        defer { umount(disk) }
        let words = ["poster", "-f", "raw", "-o", disk, scratch.path("in/*.gif")]
        let outcome = Tool.run(["batch", "--journal", journal] + words)
        #expect(outcome.status == 74, "\(outcome.errors)")
        #expect(!scratch.names("disk").contains { $0.hasPrefix(".") })
        let before = scratch.names("disk").count
        #expect(before > 0 && before < 40)
        #expect(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT), "size=64m") == 0)
        #expect(Tool.run(["batch", "--journal", journal] + words).status == 0)
        #expect(scratch.names("disk").count == 40)
    }
}
