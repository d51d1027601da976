import Support
import Testing
import ToolSupport

@testable import LazyCLI

/// Commands in a pipe, and files whose names look like addresses.
@Suite(.ownThreads) struct PipedArgumentsTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    @Test(arguments: [["poster"], ["thumb", "--width", "40"]])
    func `a poster reads and writes the pipe where nothing is named`(words: [String]) {
        let outcome = Tool.run(words, input: Media.path("small.mp4"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.starts(with: Self.png))
    }

    @Test(arguments: [
        (["poster", "-"], "\u{89}PNG"), (["animate", "-"], "RIFF"),
        (["convert", "-", "-f", "gif"], "GIF8"),
    ])
    func `a hyphen alone means both ends of the pipe`(words: [String], beginning: String) {
        let outcome = Tool.run(words, input: Media.path("small.mp4"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let head = beginning.unicodeScalars.map { UInt8($0.value) }
        #expect(outcome.output.starts(with: head), "\(outcome.output.prefix(8))")
    }

    @Test func `an output that is named is written`() {
        let scratch = Scratch()
        let path = scratch.path("a.png")
        let outcome = Tool.run(["poster", "-o", path], input: Media.path("small.mp4"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(Tool.bytes(path).starts(with: Self.png))
    }

    @Test(arguments: [
        (["animate"], "RIFF"), (["convert", "-f", "gif"], "GIF8"),
        (["frames", "-f", "y4m"], "YUV4"), (["info"], "standard input"),
        (["sheet", "--no-vtt", "--no-json-file"], "\u{FF}"),
        (["play", "--frames", "-", "-f", "framehash"], "#"),
    ])
    func `other commands read the pipe as well`(words: [String], beginning: String) {
        let outcome = Tool.run(words, input: Media.path("small.mp4"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let begins =
            beginning == "\u{FF}"
            ? outcome.output.first == 0xFF : outcome.output.starts(with: Array(beginning.utf8))
        #expect(begins, "\(outcome.output.prefix(20))")
    }

    @Test(arguments: [["fetch"], ["make", "{}"], ["batch", "poster"]])
    func `what reads no medium needs a name`(words: [String]) {
        let outcome = Tool.run(words, input: Media.path("small.mp4"))
        #expect(outcome.status == 64, "\(outcome.text)")
    }

    @Test func `make and loop read the pipe, which need no change`() {
        let made = Tool.run(["make", #"{"kind": "poster"}"#], input: Media.path("small.mp4"))
        #expect(made.status == 0 && made.output.starts(with: Self.png), "\(made.errors)")
        let printed = Tool.run(["loop"], input: Media.path("counter.gif"))
        #expect(printed.status == 0 && printed.text.contains("standard input"))
        let changed = Tool.run(["loop", "--loop", "2"], input: Media.path("counter.gif"))
        #expect(changed.output.starts(with: Array("GIF8".utf8)))
    }

    @Test func `a file whose name begins as a data URL is a file`() throws {
        let scratch = Scratch()
        let path = scratch.path("data:x.mp4")
        Tool.write(Tool.bytes(Media.path("small.mp4")), to: path)
        #expect(throws: CommandFailure.self) { try InputAddress("data:none.mp4") }
        let words = "cd \(scratch.path("")) && \(Tool.path) info data:x.mp4 2>&1"
        let said = String(decoding: Peer.output(of: words), as: UTF8.self)
        #expect(said.contains("h264") && said.contains("160x96"), "\(said)")
    }
}
