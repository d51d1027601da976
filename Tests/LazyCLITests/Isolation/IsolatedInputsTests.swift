import ArgumentParser
import Glibc
import HTTPSupport
import Support
import Testing
import ToolSupport

@testable import LazyCLI

/// No media is decoded in the process of a command that isolates, however the media is named.
@Suite(.ownThreads, .enabled(if: !Sanitizer.isLinked && CProgram.hasCompiler))
struct IsolatedInputsTests {
    /// Media under the names of `IsolatedCommands.Input`.
    private static func folder() -> Scratch {
        let scratch = Scratch()
        for (name, source) in [
            ("a.jpg", "still.jpg"), ("b.jpg", "still-progressive.jpg"), ("c.gif", "loop-3.gif"),
            ("f.mp4", "small.mp4"), ("n1.jpg", "still.jpg"), ("n2.jpg", "still-progressive.jpg"),
            ("s.avif", "animation.avif"), ("w.png", "still-grey8.png"),
        ] {
            scratch[name] = Tool.bytes(Media.path(source))
        }
        scratch["m.jpg"] = MotionForge.file(
            .motionPhoto, still: scratch["a.jpg"], film: scratch["f.mp4"])
        scratch["l.ffconcat"] = Array("ffconcat version 1.0\nfile a.jpg\nfile b.jpg\n".utf8)
        scratch["frames.json"] = Array(
            """
            {"frames": [{"file": "a.jpg", "ptsUs": 0, "durationUs": 40000},
            {"file": "b.jpg", "ptsUs": 40000, "durationUs": 40000}]}
            """.utf8)
        scratch["list.txt"] = Array("a.jpg\nc.gif\n".utf8)
        mkdir(scratch.path("pictures"), 0o700)
        for name in ["a.jpg", "b.jpg"] { scratch["pictures/" + name] = scratch[name] }
        return scratch
    }

    private static func server() throws -> ScriptedServer {
        let bytes = Tool.bytes(Media.path("still.jpg"))
        return try ScriptedServer { _ in .answer(body: bytes) }
    }

    private let witness = DecoderWitness()

    private func run(
        _ row: IsolatedCommands.Row, _ input: IsolatedCommands.Input, _ options: String
    ) throws -> (outcome: Tool.Outcome, calls: [String]) {
        let (scratch, server) = (Self.folder(), try Self.server())
        let words = row.words.split(separator: "{}", omittingEmptySubsequences: false)
            .joined(separator: input.words)
        return try #require(witness).run(
            """
            cd '\(scratch.path)'; url=http://127.0.0.1:\(server.port); mkdir out
            export XDG_CACHE_HOME="$PWD/cache" XDG_RUNTIME_DIR="$PWD"
            lazyimg \(row.command) \(words) \(options)
            """)
    }

    @Test(arguments: IsolatedCommands.table, ["--isolate always", "--limits untrusted"])
    func `Isolated commands decode nothing in their process`(
        _ row: IsolatedCommands.Row, _ options: String
    ) throws {
        for input in row.inputs {
            let (outcome, calls) = try run(row, input, options)
            #expect(outcome.status == 0, "\(row) \(input): \(outcome.errors)")
            let own = calls.filter { call in row.written.map { !call.contains($0) } ?? true }
            #expect(own.isEmpty, "\(row) \(input)")
        }
    }

    @Test(arguments: IsolatedCommands.Input.allCases)
    func `The witness sees what is decoded in the process`(
        _ input: IsolatedCommands.Input
    ) throws {
        let row = try #require(IsolatedCommands.table.first { $0.inputs.contains(input) })
        let (outcome, calls) = try run(row, input, "--isolate never")
        #expect(outcome.status == 0, "\(row) \(input): \(outcome.errors)")
        #expect(!calls.isEmpty, "\(row) \(input)")
    }

    @Test(arguments: ["--isolate=always", "--isolate=always --limits=untrusted"])
    func `Options are understood in one word, too`(_ options: String) throws {
        let row = try #require(IsolatedCommands.table.first)
        for input in [IsolatedCommands.Input.picture, .film] {
            let (outcome, calls) = try run(row, input, options)
            #expect(outcome.status == 0 && calls.isEmpty, "\(outcome.errors) \(calls)")
        }
    }

    @Test
    func `The limits of untrusted media reach lists and watermarks`() throws {
        for (row, input) in [
            ("animate", IsolatedCommands.Input.ffconcat), ("animate", .joinedPictures),
            ("convert", .concat), ("poster", .watermark),
        ] {
            let row = try #require(IsolatedCommands.table.first { $0.command == row })
            let (outcome, _) = try run(row, input, "--limits untrusted --limit pixels=1000")
            #expect(outcome.status == 76, "\(row) \(input): \(outcome.errors)")
        }
    }

    @Test
    func `Every command is in the table`() {
        let names = LazyImg.configuration.subcommands.map { $0._commandName }
        #expect(Set(names) == Set(IsolatedCommands.table.map(\.command)))
        for row in IsolatedCommands.table { #expect(row.inputs.isEmpty == (row.reason != nil)) }
    }
}
