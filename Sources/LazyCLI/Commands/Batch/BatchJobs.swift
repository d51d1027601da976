internal import ArgumentParser
internal import LazyRenditions

/// The jobs of a batch by the names of their commands.
enum BatchJobs {
    /// The commands in the order in which they are listed.
    static let commands: [any JobCommand.Type] = [
        PosterCommand.self, AnimateCommand.self, ConvertCommand.self, SheetCommand.self,
        FramesCommand.self, LoopCommand.self, MakeCommand.self,
    ]

    /// Their names.
    static var names: [String] { commands.map { $0._commandName } }

    /// The command of a name or alias.
    static func command(
        _ word: String
    ) throws(CommandFailure) -> any JobCommand.Type {
        let found = commands.first { $0.names.contains(word) }
        if let found { return found }
        let meant = Suggestion.sentence(word, among: commands.flatMap { $0.names })
        throw .usage(
            "There is no job '\(word)'.\(meant)",
            hint: "The jobs are \(names.joined(separator: ", ")).")
    }
}
