internal import ArgumentParser
internal import LazyBase
internal import LazyRenditions

/// The command that words name, from the root.
struct CommandPath {
    private let root: any ParsableCommand.Type
    /// Those below the root.
    private var commands: [any ParsableCommand.Type] = []
    /// The word after it that names none of its subcommands.
    private var unknown: String?

    /// Follows the first words while they name commands.
    init(_ words: [String], from root: any ParsableCommand.Type) {
        self.root = root
        for word in words {
            let subcommands = command.configuration.subcommands
            if word.hasPrefix("-") || subcommands.isEmpty { return }
            guard let next = subcommands.first(where: { $0.names.contains(word) }) else {
                unknown = word
                return
            }
            commands.append(next)
        }
    }

    /// The command.
    var command: any ParsableCommand.Type { commands.last ?? root }

    /// Its name with those of the commands above it, such as `lazyimg cache stats`.
    var name: String { ([root] + commands).map { $0._commandName }.joined(separator: " ") }

    /// What people look for by other names, and the command that does it.
    private static let otherNames = [
        "gif":
            "For a short GIF: 'lazyimg animate FILE -f gif'; for all of it: "
            + "'lazyimg convert FILE -o FILE.gif'.",
        "thumbnails":
            "For pictures: 'lazyimg poster FILE…'; for a sheet of them: "
            + "'lazyimg sheet FILE'.",
        "extract": "For frames: 'lazyimg frames FILE -o FOLDER'.",
        "resize":
            "To change the size: 'lazyimg convert FILE -s 320x -o OUTPUT', or "
            + "'lazyimg poster' for one picture.",
        "crop":
            "To crop: 'lazyimg convert FILE --crop 16:9 -o OUTPUT', or 'lazyimg poster' "
            + "for one picture.",
        "probe": "For metadata: 'lazyimg info FILE'.",
        "download": "To download: 'lazyimg fetch URL'.",
        "show": "To show: 'lazyimg play FILE' in the terminal, 'lazyimg view FILE' in a "
            + "window.",
    ]

    /// The failure for a word that names no command; nil if all words do.
    var failure: CommandFailure? {
        guard let unknown else { return nil }
        let names = command.configuration.subcommands.flatMap { $0.names }
        let meant = Suggestion.sentence(unknown, among: names)
        if commands.isEmpty, let hint = Self.otherNames[unknown] {
            return .usage("There is no command '\(name) \(unknown)'.", hint: hint)
        }
        let isFile = meant.isEmpty && commands.isEmpty && FileKind(unknown) != .nothing
        return .usage(
            "There is no command '\(name) \(unknown)'.\(meant)",
            hint: isFile
                ? "To play the file: 'lazyimg play \(unknown)'. For other commands see 'lazyimg --help'."
                : "See '\(name) --help'.")
    }
}

extension ParsableCommand {
    /// Its name and aliases.
    static var names: [String] { [_commandName] + configuration.aliases }
}
