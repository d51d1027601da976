internal import ArgumentParser
internal import CLazySystem
import Glibc

/// The command line as a whole: what the executable calls.
public enum CommandLineTool {
    /// Answers `lazyimg --version` without any of the work that other commands need.
    public static func answerVersion() {
        let arguments = CommandLine.arguments
        guard arguments.count == 2, ["--version", "-V"].contains(arguments[1]) else { return }
        do throws(CommandFailure) {
            try Console.print(Version.line)
            exit(ExitStatus.success.number)
        } catch {
            exit(error.report(asJSON: false))
        }
    }

    /// Runs what the arguments say and ends the process with a documented exit code.
    public static func main() async -> Never {
        Interruption.install()
        // Codecs' pictures wander from thread to thread; without this each leaves its own arena full.
        lazy_map_blocks_from(1 << 20)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            // `CommandLine.arguments` repairs what is not UTF-8 and so would name another file.
            guard areUTF8(CommandLine.unsafeArgv) else { throw InputAddress.notUTF8 }
            if let text = HelpTopic.text(arguments) {
                try Console.print(text)
                exit(ExitStatus.success.number)
            }
            try UsageText.refuseUnknownCommand(arguments)
            var command = try LazyImg.parseAsRoot(BatchArguments.arranged(arguments))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            exit(ExitStatus.success.number)
        } catch {
            exit(end(error, arguments))
        }
    }

    private static func areUTF8(_ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Bool
    {
        (0..<Int(CommandLine.argc)).allSatisfy { place in
            words[place].map { String(validatingCString: $0) != nil } ?? true
        }
    }

    private static func end(_ error: any Error, _ arguments: [String]) -> CInt {
        let asJSON = arguments.prefix { $0 != "--" }.contains("--json")
        if let failure = error as? CommandFailure { return failure.report(asJSON: asJSON) }
        if error is ExitCode || LazyImg.exitCode(for: error) == .success {
            return answer(error, asJSON: asJSON)
        }
        let failure = CommandFailure.usage(
            UsageText.sentence(LazyImg.message(for: error)),
            hint: "See '\(UsageText.helpCommand(arguments))'.")
        return failure.report(asJSON: asJSON)
    }

    // Help, versions and completion scripts are answers, not faults.
    private static func answer(_ error: any Error, asJSON: Bool) -> CInt {
        do throws(CommandFailure) {
            let text = LazyImg.fullMessage(for: error)
            if !text.isEmpty { try Console.print(text + "\n") }
            return LazyImg.exitCode(for: error).rawValue
        } catch {
            return error.report(asJSON: asJSON)
        }
    }
}

/// From the parser's words to ours.
enum UsageText {
    /// One sentence with a full stop.
    static func sentence(_ message: String) -> String {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.hasSuffix(".") || line.hasSuffix("?") ? line : line + "."
    }

    /// Throws where the first words, also behind `help`, name no command.
    static func refuseUnknownCommand(_ arguments: [String]) throws(CommandFailure) {
        var words = arguments[...]
        if words.first == "help" { words = words.dropFirst() }
        var command: any ParsableCommand.Type = LazyImg.self
        var names = "lazyimg"
        while let word = words.popFirst(), !word.hasPrefix("-"), word != "help",
            !command.configuration.subcommands.isEmpty
        {
            guard let next = command.subcommand(word) else {
                throw .usage(
                    "There is no command '\(names) \(word)'.", hint: "See '\(names) --help'.")
            }
            command = next
            names += " " + next._commandName
        }
    }

    /// The command that explains what went wrong.
    static func helpCommand(_ arguments: [String]) -> String {
        var names = ["lazyimg"]
        var command: any ParsableCommand.Type = LazyImg.self
        for word in arguments where !word.hasPrefix("-") {
            guard let next = command.subcommand(word) else { break }
            names.append(next._commandName)
            command = next
        }
        return names.joined(separator: " ") + " --help"
    }
}

extension ParsableCommand {
    /// The part of a command that a word names.
    fileprivate static func subcommand(_ word: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first {
            word == $0._commandName || $0.configuration.aliases.contains(word)
        }
    }
}
