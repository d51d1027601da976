import LazyRenditions
import Support
import Testing
import ToolSupport

/// The schema of reports, as another validator reads it, for what commands print.
@Suite(.ownThreads, .needs("jsonschema")) struct ReportSchemaTests {
    private let scratch = Scratch()

    private func isValid(_ texts: [String], isClosed: Bool = true) -> Bool {
        let schema = scratch.write(
            Array(Rendition.Report.schema(isClosed: isClosed).utf8), "schema.json")
        let reports = texts.enumerated().map { number, text in
            "-i " + scratch.write(Array(text.utf8), "report-\(number).json")
        }.joined(separator: " ")
        return Peer.output(of: "jsonschema \(reports) \(schema) >/dev/null 2>&1 && printf yes")
            == Array("yes".utf8)
    }

    /// Words of a command; `OUT` is a name of a new file.
    @Test(arguments: [
        "poster clip.mp4 -o OUT.jpg -s 64x64", "poster clip.mp4 -o OUT.jpg -s 64x64 --explain",
        "animate clip.mp4 -o OUT.webp -W 64 --duration 1",
        "animate clip.mp4 -o OUT.gif -W 64 --pieces 2 --explain",
        "convert delays.gif -o OUT.webp", "convert still-rgb8.png -o OUT.webp",
        "loop loop-absent.gif -o OUT.gif --loop 3", "sheet clip.mp4 -o OUT.jpg --count 4 -W 64",
        "frames clip.mp4 -o OUT/ --every 50 -W 64", "frames clip.mp4 -o OUT.y4m --max-frames 2",
    ])
    func `what a command prints is as the schema says`(words: String) throws {
        let arguments = words.split(separator: " ").enumerated().map { place, word in
            if word.hasPrefix("OUT") { return scratch.path(String(word)) }
            return place == 1 ? Media.path(String(word)) : String(word)
        }
        let outcome = Tool.run(arguments + ["--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(isValid([outcome.text]), "\(outcome.text)")
        // A later version may have more members, but none less, and no other kinds.
        let more = outcome.text.replacing(#""warnings""#, with: #""more": 1, "warnings""#)
        #expect(isValid([more], isClosed: false) && !isValid([more]))
        for (member, other) in [(#""warnings""#, #""warning""#), (#""kind": ""#, #""kind": "x"#)] {
            #expect(!isValid([outcome.text.replacing(member, with: other)], isClosed: false))
        }
    }

    @Test func `facts of every file are as the schema says`() throws {
        let facts = Media.names.compactMap { name -> String? in
            let outcome = Tool.run(["info", Media.path(name), "--json", "--frames"])
            return outcome.status == 0 ? outcome.text : nil
        }
        #expect(facts.count > 60)
        if !isValid(facts) {
            for text in facts { #expect(isValid([text]), "\(text.prefix(400))") }
        }
    }
}
