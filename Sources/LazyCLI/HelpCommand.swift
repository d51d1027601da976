internal import ArgumentParser

/// `lazyimg help`: the help of a command, or a topic.
struct HelpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Print the help of a command, or of a topic.",
        shouldDisplay: false)

    @Argument(
        help: .init("A command, or one of the topics limits and isolation.", valueName: "command"),
        completion: .list(HelpTopic.allCases.map(\.rawValue)))
    var words: [String] = []

    func run() throws {
        if words.count == 1, let topic = HelpTopic(rawValue: words[0]) {
            return try Console.print(topic.text)
        }
        let path = CommandPath(words, from: LazyImg.self)
        if let failure = path.failure { throw failure }
        throw CleanExit.helpRequest(path.command)
    }
}
