import Support
import Testing
import ToolSupport

/// What comes from files moves no text on a terminal, and is whole in JSON.
@Suite(.ownThreads) struct PrintedTextTests {
    private let scratch = Scratch()

    private static let name = "a\u{202E}fig.gpj\u{2067}\u{200F}\u{1B}[31m"
    /// What may not be in a line for people.
    private static let hidden: Set<Unicode.Scalar> = ["\u{202E}", "\u{2067}", "\u{200F}", "\u{1B}"]

    /// The output of a command on a terminal, with that of errors.
    private func terminal(_ arguments: [String]) -> String {
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        return Tool.shell(
            "cd '\(scratch.path)' && script -qec \"$lazyimg \(words)\" /dev/null </dev/null"
        ).text
    }

    @Test(arguments: [
        ["info"], ["loop"], ["poster"], ["convert", "-f", "gif"], ["info", "--limit", "frames=1"],
        ["sheet"], ["batch", "poster"], ["ls", "--protocol", "blocks"],
    ])
    func `names that move text are escaped`(words: [String]) {
        scratch.write(Tool.bytes(Media.path("counter.gif")), Self.name)
        // What takes long has a bar, which ends by erasing the rest of its line.
        let text = terminal(words + [Self.name]).replacing("\u{1B}[K", with: "")
        let found = text.unicodeScalars.filter(Self.hidden.contains)
        // Colors and moves are the program's own, as are those of a progress bar.
        #expect(
            ["ls", "batch"].contains(words[0]) || found.isEmpty,
            "\(words): \(text.debugDescription)")
        #expect(found.allSatisfy { $0 == "\u{1B}" })
        #expect(words[0] == "ls" || !text.contains("\u{1B}[31m"))
    }

    @Test(.needs("ffmpeg")) func `titles that move text are escaped, and whole in JSON`() throws {
        _ = Peer.output(
            of:
                "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=1:d=1 -metadata title='x\u{202E}y' -c:v png '\(scratch.path("a.mkv"))' </dev/null"
        )
        #expect(terminal(["info", "a.mkv"]).contains("x\\xe2\\x80\\xaey"))
        let json = Tool.run(["info", "--json", scratch.path("a.mkv")]).text
        #expect(json.contains("\"x\\u202ey\""))
        #expect(try ParsedJSON.parse(json)["title"]?.string == "x\u{202E}y")
    }

    @Test func `errors are escaped, and as JSON they are JSON`() throws {
        let missing = scratch.path("b\u{202E}.gif")
        let said = Tool.run(["info", missing])
        #expect(said.status == 66)
        #expect(!said.errors.unicodeScalars.contains("\u{202E}"))
        let json = Tool.run(["info", "--json", missing])
        #expect(try ParsedJSON.parse(json.errors)["error"]?["input"]?.string == missing)
    }
}
