import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyCLI

/// Which of two names is the output.
@Suite(.ownThreads) struct TwoNamesTests {
    private let scratch = Scratch()

    init() {
        Tool.write(Tool.bytes(Media.path("small.mp4")), to: scratch.path("film.mp4"))
        Tool.write(Tool.bytes(Media.path("counter.gif")), to: scratch.path("a.gif"))
        for number in 1...3 {
            Tool.write(
                Tool.bytes(Media.path("still-rgb8.png")), to: scratch.path("f-\(number).png"))
        }
    }

    private func run(_ words: String) -> Tool.Outcome {
        Tool.shell(
            "cd '\(scratch.path)' && XDG_STATE_HOME='\(scratch.path("state"))' \"$lazyimg\" \(words)"
        )
    }

    @Test(arguments: [
        ("poster film.mp4", "o.jpg", ["film.png", "o.png"]),
        ("animate film.mp4", "o.gif", ["film.webp", "o.webp"]),
        ("animate f-%d.png", "o.gif", ["f.webp", "o.webp"]),
        ("convert film.mp4", "o.gif", []), ("loop --loop 3 a.gif", "o.gif", []),
        ("sheet film.mp4", "o.jpg", ["film-sheet.jpg", "o-sheet.jpg"]),
        ("convert f-1.png f-2.png f-3.png", "o.webp", []),
    ])
    func `the second run means the same as the first`(
        words: String, output: String, mine: [String]
    ) {
        for name in mine { Tool.write(Array("mine".utf8), to: scratch.path(name)) }
        let first = run("\(words) \(output)")
        #expect(first.status == 0, "\(first.errors)")
        let (names, bytes) = (scratch.names(), Tool.bytes(scratch.path(output)))
        let second = run("\(words) \(output)")
        #expect(second.status == 73, "\(words): \(second.errors)")
        #expect(second.errors.contains("\(output) exists already."), "\(second.errors)")
        Tool.write([1], to: scratch.path(output))
        let third = run("\(words) \(output) --force")
        #expect(third.status == 0, "\(words): \(third.errors)")
        #expect(scratch.names() == names && Tool.bytes(scratch.path(output)).count == bytes.count)
        for name in mine { #expect(scratch.text(name) == "mine") }
        // What is accepted is not made.
        Tool.write([1], to: scratch.path(output))
        #expect(run("\(words) \(output) --skip-existing").status == 0)
        #expect(Tool.bytes(scratch.path(output)) == [1])
    }

    private static func word(
        _ words: [String], format: String? = nil, joins: Bool? = nil,
        of formats: [OutputFormat] = AnimateJob.formats
    ) -> String? {
        OutputWord(
            words, formats: formats, format: format.flatMap { OutputFormat($0) }, joins: joins
        )
        .output
    }

    @Test func `the words alone say which name is the output`() {
        #expect(Self.word(["a.mp4", "b.gif"]) == "b.gif")
        #expect(Self.word(["a.gif", "b.GIF"]) == "b.GIF")
        #expect(Self.word(["a.mp4"]) == nil && Self.word([]) == nil)
        #expect(Self.word(["a.mp4", "b.mov"]) == nil && Self.word(["a.mp4", "b"]) == nil)
        #expect(Self.word(["a.gif", "b.gif"], of: OutputFormat.still) == nil)
        // A format makes names of its own.
        #expect(Self.word(["a.gif", "b.gif"], format: "webp") == nil)
        #expect(Self.word(["a.gif", "b.webp"], format: "webp") == "b.webp")
        // A pattern of the shell names inputs.
        #expect(Self.word(["a.png", "b.png", "c.gif"], joins: false) == "c.gif")
        #expect(Self.word(["a.gif", "b.gif", "c.gif"], joins: false) == nil)
        #expect(Self.word(["a.gif", "b.gif", "c.gif"], joins: true) == "c.gif")
        #expect(Self.word(["a.png", "b.png", "c.gif"]) == nil)
        for last in ["-", "f-%d.gif", "https://example.org/b.gif", "file:///b.gif"] {
            #expect(Self.word(["a.mp4", last]) == nil, "\(last)")
        }
    }

    @Test(arguments: [
        ("loop a.gif b.gif", 0, ""), ("loop a.gif b.gif --loop 3 --in-place", 0, ""),
        ("poster a.gif b.gif -o out/", 0, "a.png b.png"),
        ("poster a.gif b.gif", 0, ""), ("convert a.gif b.gif -f webp", 0, ""),
        ("poster -r a.gif f-1.png -o out/", 0, "a.png f-1.png"),
        ("poster a.gif f-1.png --name '{name}-x.jpg' -o out", 0, "a-x.jpg f-1-x.jpg"),
    ])
    func `where nothing is named by the last word both are inputs`(
        words: String, status: CInt, made: String
    ) {
        Tool.write(Tool.bytes(Media.path("counter.gif")), to: scratch.path("b.gif"))
        let outcome = run(words)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(scratch.names("out").joined(separator: " ") == made)
        let still = Tool.bytes(Media.path("still-rgb8.png"))
        #expect(Tool.bytes(scratch.path("f-1.png")) == still)
    }
}
