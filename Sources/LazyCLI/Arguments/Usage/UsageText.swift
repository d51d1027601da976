internal import ArgumentParser
internal import LazyBase
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// The failures of a command line that the parser rejects.
enum UsageText {
    /// The failure for a message of the parser.
    ///
    /// `options` are candidates for a suggestion, `commands` those that may have the option instead, `help` is the command
    /// that explains them.
    static func failure(
        _ message: String, _ arguments: [String], options: @autoclosure () -> [String],
        commands: [any ParsableCommand.Type] = [], help: String
    ) -> CommandFailure {
        if let file = fileLikeOption(arguments), message.contains("'\(file)'") {
            return .usage(
                "'\(file)' is read as an option.",
                hint: "Write './\(file)' or '-- \(file)' for a file of that name.")
        }
        let hint = foreignOption(message, arguments, options()) ?? "See '\(help)'."
        return .usage(normalized(message, options: options(), commands), hint: hint)
    }

    /// What other programs call with one dash, and our options for it.
    private static let shortNames: [(word: String, options: [String])] = [
        ("-ss", ["--start", "--at"]), ("-t", ["--duration"]), ("-to", ["--end"]),
        ("-y", ["--force"]),
        ("-r", ["--fps"]), ("-vf", ["--size", "--crop"]), ("-crf", ["--quality"]),
        ("-c", ["--codec"]), ("-an", ["--no-audio"]), ("-loop", ["--loop"]),
        ("-n", ["--max-frames"]),
        ("-frames", ["--max-frames"]), ("-vframes", ["--max-frames"]), ("-resize", ["--size"]),
        ("-delay", ["--delay"]),
    ]

    /// A hint for an option of other programs that the parser took for one of ours, or for none; nil for others.
    private static func foreignOption(
        _ message: String, _ arguments: [String], _ known: [String]
    ) -> String? {
        let words = arguments.prefix { $0 != "--" }
        if message.contains("'-i'"), words.contains("-i") {
            return "Inputs are named without an option."
        }
        for (word, options) in shortNames where words.contains(word) {
            // The parser names the option that it read, such as -s of -ss.
            guard message.contains("'\(word)'") || message.contains("'\(word.prefix(2))") else {
                continue
            }
            let ours = options.filter(known.contains).map { "'\($0)'" }
            if !ours.isEmpty { return "\(word) is \(ours.joined(separator: " or ")) here." }
        }
        return nil
    }

    /// One sentence with a full stop, and a suggestion for an unknown option.
    static func normalized(
        _ message: String, options: @autoclosure () -> [String] = [],
        _ commands: [any ParsableCommand.Type] = []
    ) -> String {
        // The parser lists the errors of several attempts, separated by `or:`.
        let first = message.split(separator: "\n    or: ").first ?? ""
        let line = first.split(whereSeparator: \.isNewline).joined(separator: " ")
        let text = line.hasSuffix(".") || line.hasSuffix("?") ? line : line + "."
        guard let option = unknownOption(text) else { return text }
        let known = options()
        var near = otherNames[option, default: []].filter(known.contains)
        let others = near.isEmpty ? names(of: commands, with: option) : []
        if !others.isEmpty {
            let verb = others.count == 1 ? "has" : "have"
            let names = others.joined(separator: " and ")
            return "Unknown option '\(option)', which \(names) \(verb)."
        }
        if near.isEmpty { near = [Suggestion.nearest(option, among: known)].compactMap { $0 } }
        guard !near.isEmpty else { return text }
        // The parser knows the options of one command; a batch has those of two.
        return
            "Unknown option '\(option)'. Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
    }

    /// What other programs call our options, where the letters suggest another one.
    private static let otherNames = [
        "--max-size": ["--max-bytes", "--size"], "--max-filesize": ["--max-bytes"],
        "--file-size": ["--max-bytes"], "--max-file-size": ["--max-bytes"],
        "--max-width": ["--width"], "--max-height": ["--height"], "--resize": ["--size"],
        "--scale": ["--size"], "--time": ["--at", "--start"], "--seek": ["--at", "--start"],
        "--rate": ["--fps"], "--framerate": ["--fps"], "--loops": ["--loop"],
        "--boomerang": ["--bounce"], "--crf": ["--quality"], "--strip": ["--keep"],
        "--length": ["--duration", "--interval"], "--frames": ["--max-frames", "--count"],
        "--chapter": ["--at"], "--mute": ["--no-audio"], "--only": ["--kind"],
        "--to": ["--format"], "--count": ["--max-frames", "--every"],
        "--grid": ["--columns", "--rows"], "--out": ["--output"], "--type": ["--format"],
        "--overwrite-all": ["--force"],
    ]

    /// The commands that have an option of this name; none where they are many, whose option it is not.
    private static func names(
        of commands: [any ParsableCommand.Type], with option: String
    ) -> [String] {
        let commands = commands.filter { CommandFlags(of: $0).all.contains(option) }
        return commands.count > 3 ? [] : commands.map { "'lazyimg \($0._commandName)'" }
    }

    private static func unknownOption(_ message: String) -> String? {
        let head = "Unknown option '"
        guard message.hasPrefix(head) else { return nil }
        let option = message.dropFirst(head.count).prefix { $0 != "'" && $0 != "=" }
        return option.hasPrefix("--") ? String(option) : nil
    }

    /// An argument that begins with a dash and is a file or has the extension of media.
    private static func fileLikeOption(_ arguments: [String]) -> String? {
        arguments.prefix { $0 != "--" }.first { word in
            guard word.hasPrefix("-"), word.utf8.count > 1 else { return false }
            let ending = FilePath.fileExtension(of: word)?.lowercased()
            return FileKind(word) != .nothing
                || MediaType.all.contains { $0.fileExtensions.contains(ending ?? "") }
        }
    }
}
