import ArgumentParser
import Support
import Testing

@testable import LazyCommands

@Suite(.ownThreads) struct ManualTests {
    private static let manual: String = {
        let root = Media.folder.dropLast("media/".count)
        return String(decoding: Tool.bytes(root + "man/lazyimg.1"), as: UTF8.self)
    }()

    @Test(arguments: LazyImg.configuration.subcommands.map { $0._commandName })
    func `the manual page names every option and alias of a command`(name: String) throws {
        let command = try #require(
            LazyImg.configuration.subcommands.first { $0._commandName == name })
        let help = LazyImg.helpMessage(for: command)
        var options = help.matches(of: /--([a-z][a-z-]+)/).map { String($0.output.1) }
        for part in command.configuration.subcommands {
            #expect(Self.manual.contains("\n.It Cm \(part._commandName)"))
            let help = LazyImg.helpMessage(for: part)
            options += help.matches(of: /--([a-z][a-z-]+)/).map { String($0.output.1) }
        }
        #expect(options.contains("json"))
        for option in Set(options).subtracting(["help"]) {
            let isNamed =
                Self.manual.contains("Fl -\(option)\n") || Self.manual.contains("Fl -\(option) ")
                || Self.manual.contains(", -\(option)\n") || Self.manual.contains(", -\(option) ")
            #expect(isNamed, "--\(option) is missing")
        }
        for alias in command.configuration.aliases + [name] {
            #expect(Self.manual.contains("Cm \(alias)") || Self.manual.contains("| \(alias)"))
        }
    }

    @Test(arguments: [0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 76, 77])
    func `the manual page explains every exit code`(code: Int) {
        #expect(Self.manual.contains("\n.It \(code)\n"))
    }
}
