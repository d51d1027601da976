internal import ArgumentParser
internal import LazyBase

/// What `-h` prints: how a command is called, and its options that are used most, on one screen.
struct ShortHelp {
    /// The lines and columns that it has at most.
    static let lines = 25, columns = 80

    private let path: CommandPath

    init(of path: CommandPath) { self.path = path }

    /// Whether arguments ask for it, and the answer of the parser is help.
    static func isAsked(_ arguments: [String], _ message: String) -> Bool {
        let words = arguments.prefix { $0 != "--" }
        return words.contains("-h") && !words.contains("--help") && message.contains("USAGE: ")
    }

    /// The text, without a line break at its end.
    var text: String {
        let command = path.command
        let head = ["Usage: " + usage, command.configuration.abstract, ""]
        let end = "More: \(path.name) --help"
        let body = command.configuration.subcommands.isEmpty ? options : commands
        // The last line says where the rest is.
        return (head + body.prefix(Self.lines - head.count - 1) + [end])
            .map { String($0.prefix(Self.columns)) }.joined(separator: "\n")
    }

    private var usage: String {
        let flags = CommandFlags(of: path.command)
        if !path.command.configuration.subcommands.isEmpty { return "\(path.name) COMMAND" }
        let value = path.command == MakeCommand.self ? " RENDITION" : ""
        let inputs = value + (flags.takesInputs ? " INPUT…" : "")
        let output = flags.long.contains("--output") ? " -o OUTPUT" : ""
        return "\(path.name)\(inputs)\(output) [options]"
    }

    private var commands: [String] {
        path.command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map {
            Self.row($0._commandName, $0.configuration.abstract, width: 10)
        }
    }

    /// The options of the groups that the command has, as many as fit.
    private var options: [String] {
        let flags = CommandFlags(of: path.command)
        var rows: [String] = []
        for group in Self.groups {
            let known = group.options.filter { flags.names(of: $0.name) != nil }.prefix(group.most)
            for (place, option) in known.enumerated() {
                let title = place == 0 ? group.title : ""
                let names = flags.names(of: option.name) ?? option.name
                rows.append(
                    Self.row(title, Self.row(names, words(of: option), width: 26), width: 8))
            }
        }
        if rows.isEmpty {
            rows = flags.all.map { Self.row("", flags.names(of: $0) ?? $0, width: 8) }
        }
        return rows
    }

    private func words(of option: (name: String, text: String)) -> String {
        Self.own[path.command._commandName]?[option.name] ?? option.text
    }

    private static func row(_ first: String, _ second: String, width: Int) -> String {
        let gap = String(repeating: " ", count: max(1, width - first.count))
        return "\(first)\(gap)\(second)"
    }

    /// What options of the groups mean in a command, where that is something else.
    private static let own: [String: [String: String]] = [
        "info": ["--frames": "list the times of all frames"],
        "loop": ["--loop": "forever, once, a number"],
        "convert": ["--delay": "the time of every picture of several"],
    ]

    private typealias Group = (title: String, most: Int, options: [(name: String, text: String)])

    /// The options by what they are about, the most wanted first.
    private static let groups: [Group] = [
        (
            "Output", 7,
            [
                ("--output", "a file, a folder, or - for a stream"),
                ("--frames", "write frames to a folder, or - (a stream)"),
                ("--format", "where the name has no extension for it"),
                ("--for", "a platform's bounds; see 'lazyimg help for'"),
                ("--quality", "0 to 100"), ("--max-bytes", "the most bytes, such as 200k"),
                ("--lossless", "exact pixels"), ("--loop", "forever, once, a number, source"),
                ("--delay", "the time of every frame: 100ms"),
                ("--force", "replace what exists"), ("--json", "print a report"),
                ("--journal", "what earlier runs made"), ("--title", "the title of the page"),
            ]
        ),
        (
            "What", 7,
            [
                ("--at", "12.5, 1m2s, 25%, #120, chapter:3, first"),
                ("--start", "12.5, 1m2s, #120, chapter:3"), ("--end", "the same"),
                ("--duration", "10, 1m30s"), ("--every", "10 (frames), 10s (time)"),
                ("--segments", "1-2.5,10-12.5"), ("--scenes", "the first frame of each scene"),
                ("--interval", "the time between tiles"), ("--count", "the number of tiles"),
                ("--columns", "tiles a row"), ("--fps", "12, 12.5, 30000/1001"),
                ("--speed", "2, 0.5"), ("--audio", "copy, 2, eng, none"),
                ("--recursive", "folders and their subfolders"),
                ("--kind", "video, animation, image, audio"),
                ("--follow", "wait for new files"),
            ]
        ),
        (
            "Size", 2,
            [
                ("--size", "640x360, 640x, x360, 256; ! fills, ^ covers"),
                ("--width", "pixels; the height follows"),
            ]
        ),
        (
            "Edits", 5,
            [
                ("--crop", "16:9, 640x360, 640x360+10+20"), ("--trim", "remove black bars"),
                ("--rotate", "left, right, 180, 12.5"), ("--text", "'{name} {time}'"),
                ("--subtitles", "a file, track, track:eng"), ("--watermark", "a picture"),
            ]
        ),
        (
            "Reading", 2,
            [
                ("--limits", "local, web or untrusted"),
                ("--offline", "from the caches only"),
            ]
        ),
    ]
}
