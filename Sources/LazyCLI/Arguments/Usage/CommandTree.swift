internal import ArgumentParser
internal import LazyBase

/// A command with its subcommands.
struct CommandTree {
    /// The program's name.
    ///
    /// Where a command's configuration has it, too, ArgumentParser does not look for `--generate-completion-script`
    /// before it parses the command, for which it would parse all arguments twice more.
    static let name = "lazyimg"

    private let root: any ParsableCommand.Type

    init(_ root: any ParsableCommand.Type) { self.root = root }

    /// Throws if the first arguments, also after `help`, name no command.
    func refuseUnknownCommand(_ arguments: [String]) throws(CommandFailure) {
        var words = arguments[...]
        if words.first == "help" { words = words.dropFirst() }
        var command: any ParsableCommand.Type = root
        var names = root._commandName
        while let word = words.popFirst(), !word.hasPrefix("-"), word != "help",
            !command.configuration.subcommands.isEmpty
        {
            guard let next = command.subcommand(word) else {
                let words = command.configuration.subcommands.flatMap {
                    [$0._commandName] + $0.configuration.aliases
                }
                let near = Suggestion.nearest(word, among: words + ["help"])
                let meant = near.map { " Did you mean '\($0)'?" } ?? ""
                let isFile = near == nil && names == root._commandName && FileKind(word) != .nothing
                throw .usage(
                    "There is no command '\(names) \(word)'.\(meant)",
                    hint: isFile
                        ? "To play the file: 'lazyimg play \(word)'. For other commands see 'lazyimg --help'."
                        : "See '\(names) --help'.")
            }
            command = next
            names += " " + next._commandName
        }
    }

    /// The first argument's command, parsed from the others, or nil where they must be parsed from
    /// the root: for another command, for help, and for an error, whose text names the root.
    ///
    /// From the root, ArgumentParser makes all options of a command four times, here only twice: a
    /// fifth of the time of a small GIF's poster.
    func directCommand(_ arguments: [String]) -> (any ParsableCommand)? {
        guard let command = arguments.first.flatMap({ root.subcommand($0) }),
            command.configuration.subcommands.isEmpty
        else { return nil }
        let parsed = try? command.parseAsRoot(Array(arguments.dropFirst()))
        return parsed.flatMap { type(of: $0) == command ? $0 : nil }
    }

    /// The command that prints the help of the named command.
    func helpCommand(_ arguments: [String]) -> String {
        ([root] + path(arguments)).map { $0._commandName }.joined(separator: " ") + " --help"
    }

    /// The command that arguments name.
    func command(_ arguments: [String]) -> any ParsableCommand.Type {
        path(arguments).last ?? root
    }

    private func path(_ arguments: [String]) -> [any ParsableCommand.Type] {
        var path: [any ParsableCommand.Type] = []
        for word in arguments where !word.hasPrefix("-") {
            let command = path.last ?? root
            guard let next = command.subcommand(word) else { break }
            path.append(next)
        }
        return path
    }
}

extension ParsableCommand {
    /// The subcommand that an argument names.
    fileprivate static func subcommand(_ word: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first {
            word == $0._commandName || $0.configuration.aliases.contains(word)
        }
    }
}
