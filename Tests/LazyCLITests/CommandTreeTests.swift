import ArgumentParser
import Testing

@testable import LazyCLI

/// Arguments that are parsed by the command they begin with.
@Suite struct CommandTreeTests {
    private let tree = CommandTree(LazyImg.self)

    @Test("a command is parsed as from the root")
    func direct() throws {
        let arguments = ["poster", "a.gif", "--width", "9", "-o", "b.png"]
        let direct = try #require(tree.directCommand(arguments))
        let fromRoot = try LazyImg.parseAsRoot(arguments)
        #expect(type(of: direct) == PosterCommand.self)
        #expect(String(describing: direct) == String(describing: fromRoot))
    }

    @Test("help, errors, the root's options and commands of several words are parsed from the root")
    func fromRoot() {
        for arguments in [
            [], ["poster", "--help"], ["poster", "--version"], ["poster"], ["--version"],
            ["poster", "a.gif", "--unknown"], ["poster", "a.gif", "--width", "nine"],
            ["cache", "stats"], ["help", "poster"], ["unknown"],
            ["poster", "--generate-completion-script", "bash"],
        ] {
            #expect(tree.directCommand(arguments) == nil, "\(arguments)")
        }
    }
}
