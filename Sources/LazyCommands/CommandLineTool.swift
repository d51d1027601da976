internal import ArgumentParser
internal import CommandSupport
import Glibc
internal import LazyBytes
internal import LazyFiles

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
        // Pictures are allocated on one thread and freed on another; without this every thread's arena
        // keeps the memory of the pictures it freed.
        SystemCalls.mapBlocks(from: 1 << 20)
        let arguments = ProcessArguments.words
        do {
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

    private static func end(_ error: any Error, _ arguments: [String]) -> CInt {
        let asJSON = arguments.prefix { $0 != "--" }.contains("--json")
        if let failure = error as? CommandFailure { return failure.report(asJSON: asJSON) }
        if error is ExitCode || LazyImg.exitCode(for: error) == .success {
            return answer(error, arguments, asJSON: asJSON)
        }
        let command = UsageText.command(arguments)
        let failure = CommandFailure.usage(
            UsageText.normalized(
                LazyImg.message(for: error), options: UsageText.options(of: command)),
            hint: UsageText.hint(arguments, "See '\(UsageText.helpCommand(arguments))'."))
        return failure.report(asJSON: asJSON)
    }

    // Help, versions and completion scripts are answers, not faults.
    private static func answer(
        _ error: any Error, _ arguments: [String], asJSON: Bool
    ) -> CInt {
        do throws(CommandFailure) {
            let text = BatchCompletion.added(to: LazyImg.fullMessage(for: error), arguments)
            if !text.isEmpty { try Console.print(text + "\n") }
            return LazyImg.exitCode(for: error).rawValue
        } catch {
            return error.report(asJSON: asJSON)
        }
    }
}

/// From the parser's words to ours.
enum UsageText {
    /// One sentence with a full stop, and what was meant where an option is not known.
    static func normalized(
        _ message: String, options: @autoclosure () -> [String] = []
    ) -> String {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        let text = line.hasSuffix(".") || line.hasSuffix("?") ? line : line + "."
        guard let option = unknownOption(text),
            let near = Suggestion.nearest(option, among: options())
        else { return text }
        // The parser knows the options of one command, and a batch has those of two.
        return "Unknown option '\(option)'. Did you mean '\(near)'?"
    }

    private static func unknownOption(_ message: String) -> String? {
        let head = "Unknown option '"
        guard message.hasPrefix(head) else { return nil }
        let option = message.dropFirst(head.count).prefix { $0 != "'" && $0 != "=" }
        return option.hasPrefix("--") ? String(option) : nil
    }

    /// The options of a command, in their long form.
    static func options(of command: any ParsableCommand.Type) -> [String] {
        let help = LazyImg.helpMessage(for: command, includeHidden: true)
        var options: [String] = []
        for word in help.split(whereSeparator: { " ,\n[]()|/'".contains($0) })
        where word.hasPrefix("--") && word.utf8.count > 2 {
            let name = String(word.prefix { $0.isLetter || $0.isNumber || $0 == "-" })
            if !options.contains(name) { options.append(name) }
        }
        return options + ["--help", "--version"].filter { !options.contains($0) }
    }

    /// What helps where words could not be read: a file whose name looks like an option, if it is one.
    static func hint(_ arguments: [String], _ usual: String) -> String {
        let file = arguments.prefix { $0 != "--" }.first { word in
            word.hasPrefix("-") && word.utf8.count > 1 && FileKind(word) != .nothing
        }
        guard let file else { return usual }
        return "The file of that name is meant by './\(file)', or by '-- \(file)' at the end."
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
                let words = command.configuration.subcommands.flatMap {
                    [$0._commandName] + $0.configuration.aliases
                }
                let near = Suggestion.nearest(word, among: words + ["help"])
                let meant = near.map { " Did you mean '\($0)'?" } ?? ""
                let isFile = near == nil && names == "lazyimg" && FileKind(word) != .nothing
                throw .usage(
                    "There is no command '\(names) \(word)'.\(meant)",
                    hint: isFile
                        ? "To show the file: 'lazyimg play \(word)'. For the rest see 'lazyimg --help'."
                        : "See '\(names) --help'.")
            }
            command = next
            names += " " + next._commandName
        }
    }

    /// The command that explains what went wrong.
    static func helpCommand(_ arguments: [String]) -> String {
        (["lazyimg"] + path(arguments).map { $0._commandName }).joined(separator: " ") + " --help"
    }

    /// The command that words name.
    static func command(_ arguments: [String]) -> any ParsableCommand.Type {
        path(arguments).last ?? LazyImg.self
    }

    private static func path(_ arguments: [String]) -> [any ParsableCommand.Type] {
        var path: [any ParsableCommand.Type] = []
        for word in arguments where !word.hasPrefix("-") {
            let command = path.last ?? LazyImg.self
            guard let next = command.subcommand(word) else { break }
            path.append(next)
        }
        return path
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
