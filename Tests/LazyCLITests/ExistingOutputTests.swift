import Support
import Testing
import ToolSupport

@testable import LazyCLI

/// What is said of an output that exists already.
@Suite(.ownThreads) struct ExistingOutputTests {
    private let scratch = Scratch()

    private static let commands: [[String]] = [
        ["poster", "-o", "a.png"], ["animate", "-o", "a.webp"], ["convert", "-o", "a.apng"],
        ["sheet", "-o", "a.png"], ["loop", "--set", "2", "-o", "a.gif"],
        ["play", "--frames", "out"],
    ]

    @Test(arguments: commands)
    func `the error has its input as JSON, and the name of the output for people`(
        command: [String]
    ) throws {
        let input = Media.path("counter.gif")
        let words =
            [command[0], input] + command.dropFirst().dropLast() + [
                scratch.path(command.last ?? "")
            ]
        #expect(Tool.run(words).status == 0)
        let outcome = Tool.run(words + ["--json"])
        #expect(outcome.status == 73)
        let error = try ParsedJSON.parse(outcome.errors)["error"]
        #expect(error?["code"]?.string == "exists")
        #expect(error?["input"]?.string == input)
        #expect(Tool.run(words).errors.hasPrefix("lazyimg: " + scratch.path("")))
    }
}
