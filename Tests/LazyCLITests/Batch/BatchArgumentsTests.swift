import ArgumentParser
import LazyPipeline
import Support
import Testing

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

@Suite struct BatchArgumentsTests {
    @Test(arguments: [
        ("batch poster a b", "batch poster -- a b"),
        ("batch poster -W320 a -j4 --jsonl", "batch -j 4 --jsonl poster -- -W320 a"),
        ("batch --jobs 4 poster --jobs=5 -fjpg a", "batch --jobs 4 --jobs=5 poster -- -fjpg a"),
        ("batch poster -o out --at -1 a", "batch -o out poster -- --at -1 a"),
        ("batch poster a -- -j4", "batch poster -- a -- -j4"),
        ("batch --manifest m", "batch --manifest m"), ("batch --help", "batch --help"),
        ("batch poster --help", "batch --help poster"), ("poster -o x a", "poster -o x a"),
        ("batch", "batch"), ("batch -o", "batch -o"),
        ("batch -0Q poster", "batch poster -- -0Q"),
    ]) func `options of the batch are separated from those of the job`(
        line: String, arranged: String
    ) {
        let words = line.split(separator: " ").map(String.init)
        #expect(BatchCommand.arranged(words).joined(separator: " ") == arranged)
    }

    @Test func `options of the batch are those of its parser`() {
        let known = BatchCommand.known
        #expect(
            known.valued.isSuperset(of: ["--output", "-o", "--jobs", "-j", "--name", "--shard"]))
        #expect(known.plain.isSuperset(of: ["--null", "-0", "--json", "--jsonl", "-Q", "--help"]))
        let help = BatchFlags.helpMessage(includeHidden: true)
        let long = Set(help.matches(of: /(--[a-z][a-z-]+)/).map { String($0.output.1) })
        #expect(long.subtracting(known.long) == [])
        #expect(
            Set(known.long).subtracting(long).subtracting(["--help-hidden", "--version"]) == [])
    }

    @Test(
        arguments: [
            ("a/b/c.mp4", OutputNaming(folder: "out"), "out/"),
            ("a/b/c.mp4", OutputNaming(folder: "out/", keepsTree: true), "out/a/b/"),
            ("/a/b/c.mp4", OutputNaming(folder: "out", keepsTree: true), "out/a/b/"),
            ("../b/c.mp4", OutputNaming(folder: "out", keepsTree: true), "out/b/"),
            ("a/b/c.mp4", OutputNaming(folder: "out", keepsTree: true, base: "a/"), "out/b/"),
            ("./a/./b/c.mp4", OutputNaming(folder: "out", keepsTree: true, base: "./a/b"), "out/"),
            ("ab/c.mp4", OutputNaming(folder: "/", keepsTree: true, base: "a"), "/ab/"),
            ("https://h.org/x/y.mp4", OutputNaming(folder: "out", keepsTree: true), "out/h.org/x/"),
            ("a/b.mp4", OutputNaming(), nil),
            ("a/c.mp4", pattern("{dir}/{name}-{ext}.png", "out"), "out/a/c-mp4.png"),
            ("c.mp4", pattern("{dir}/{name}.png", nil), "././c.png"),
            ("c.mp4", pattern("{number}.png", "out"), "out/1.png"),
        ] as [(String, OutputNaming, String?)])
    func `outputs have their paths`(input: String, naming: OutputNaming, output: String?) throws {
        let input = try #require(try Input.parse([input]).first)
        #expect(naming.output(for: NamedInput(input)) == output)
    }

    private static func pattern(_ text: String, _ folder: String?) -> OutputNaming {
        OutputNaming(folder: folder, pattern: try? OutputNaming.Pattern(text))
    }

    @Test(arguments: ["{nam}.png", "{name.png", "", "a/"])
    func `an invalid pattern is rejected`(text: String) {
        #expect(throws: PatternError.self) { try OutputNaming.Pattern(text) }
    }

    @Test(
        arguments: [
            (3, 0, [], CInt(0)), (3, 1, [.badData], 1), (0, 0, [.badData, .badData], 65),
            (0, 0, [.badData, .noInput], 1), (5, 0, [.temporary, .temporary], 75),
            (0, 0, [.temporary], 75), (1, 0, [.temporary, .badData], 1), (0, 0, [], 0),
            (0, 4, [.limit], 1), (0, 0, [.usage], 64),
        ] as [(Int, Int, [LazyPipeline.ExitStatus], CInt)])
    func `the exit code is for schedulers`(
        made: Int, skipped: Int, failures: [LazyPipeline.ExitStatus], code: CInt
    ) {
        var tally = BatchTally()
        for _ in 0..<made { tally.add(bytes: 1) }
        for _ in 0..<skipped { tally.addSkipped() }
        for failure in failures { tally.add(failure: failure) }
        #expect(tally.status.number == code)
    }

    @Test(arguments: [
        ("1/8", Shard(1, of: 8)), ("8/8", Shard(8, of: 8)), ("0/8", nil), ("9/8", nil),
        ("1/0", nil),
        ("1", nil), ("a/b", nil), ("1/2/3", nil), ("-1/2", nil),
    ]) func `a shard is written as a fraction`(text: String, shard: Shard?) {
        #expect((try? ShardChoice(text)) == shard.map { .one($0) })
    }

    @Test(arguments: [
        (30, 2.0, "30 made in 2.0 s, 15 per second."), (3, 3.0, "3 made in 3.0 s, 1 per second."),
        (3, 10.2, "3 made in 10.2 s, 3.4 s each."), (1, 0.1, "1 made in 0.1 s."),
    ]) func `a summary has a rate that says something`(made: Int, seconds: Double, text: String) {
        var tally = BatchTally()
        for _ in 0..<made { tally.add(bytes: 1) }
        #expect(tally.sentence(seconds: seconds) == text)
    }

    @Test func `memory limits the number of jobs`() {
        #expect(BatchMemory.jobs(7, limit: 1 << 20) == 7)
        #expect(BatchMemory.jobs(0, limit: 1 << 20) == 1)
        #expect(BatchMemory.jobs(0, limit: 1 << 40) >= 1)
    }
}
