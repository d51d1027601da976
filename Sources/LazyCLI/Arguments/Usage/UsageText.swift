internal import LazyBase
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// The failures of a command line that the parser rejects.
enum UsageText {
    /// The failure for a message of the parser.
    ///
    /// `options` are candidates for a suggestion, `help` is the command that explains them.
    static func failure(
        _ message: String, _ arguments: [String], options: @autoclosure () -> [String],
        help: String
    ) -> CommandFailure {
        if let file = fileLikeOption(arguments), message.contains("'\(file)'") {
            return .usage(
                "'\(file)' is read as an option.",
                hint: "Write './\(file)' or '-- \(file)' for a file of that name.")
        }
        return .usage(normalized(message, options: options()), hint: "See '\(help)'.")
    }

    /// One sentence with a full stop, and a suggestion for an unknown option.
    static func normalized(
        _ message: String, options: @autoclosure () -> [String] = []
    ) -> String {
        // The parser lists the errors of several attempts, separated by `or:`.
        let first = message.split(separator: "\n    or: ").first ?? ""
        let line = first.split(whereSeparator: \.isNewline).joined(separator: " ")
        let text = line.hasSuffix(".") || line.hasSuffix("?") ? line : line + "."
        guard let option = unknownOption(text) else { return text }
        let known = options()
        var near = otherNames[option, default: []].filter(known.contains)
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
        "--out": ["--output"], "--type": ["--format"], "--overwrite-all": ["--force"],
    ]

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
