internal import ArgumentParser

/// `lazyimg`: the root of the command line.
struct LazyImg: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lazyimg",
        abstract: "Animated images and silent video as frames, posters and metadata.",
        discussion: """
            An INPUT is a path, - for standard input, or an http:, https:, file: or data: URL. Its \
            type is detected from its content, never from its name. Downloads are cached by the rules \
            of HTTP, and the same command continues an interrupted download.

            Examples:
              lazyimg play clip.mp4                      play it in the terminal
              lazyimg ls pictures/                       show a folder in the terminal
              lazyimg view pictures/                     show a folder in a window
              lazyimg frames clip.mp4 -o out/            write every frame as PNG
              lazyimg poster clip.mp4 -o poster.png      write one representative image
              lazyimg animate clip.mp4                   write an animated thumbnail
              lazyimg convert clip.gif -o clip.mp4       convert it to another format
              lazyimg sheet clip.mp4                     write a sprite sheet, with WebVTT
              lazyimg info clip.mp4 --json               print its metadata
              lazyimg loop clip.gif --loop 3 --in-place  change the loop count
              lazyimg make poster.json clip.mp4          make what JSON says
              lazyimg batch poster '*.mp4' -o posters/   run one job for many inputs
              lazyimg gallery films/ -o site/            make a page of them
              lazyimg fetch https://example.org/a.gif    download it through the cache
              lazyimg cache stats                        print the sizes of the caches

            Exit codes: 0 done; 1 some of several inputs failed; 64 wrong command line; 65 bad or \
            unsupported media; 66 input missing, also 404 and not in the cache with --offline; \
            69 server unavailable, or a library or program is missing (FFmpeg for video, lazyimg-view \
            for windows); 73 output exists or cannot be created; 74 reading or writing failed; 75 temporary error (time-outs, \
            broken connections, 429, a killed decoder); 76 over a limit; 77 not permitted, also 401 and 403; 129, \
            130, 131 and 143 ended by SIGHUP, SIGINT, SIGQUIT or SIGTERM; 128 + n ended by signal n.
            """,
        version: Version.line.dropLast().description,
        subcommands: [
            PlayCommand.self, ListCommand.self, ViewCommand.self, FramesCommand.self,
            PosterCommand.self, AnimateCommand.self,
            ConvertCommand.self, LoopCommand.self, SheetCommand.self, MakeCommand.self,
            BatchCommand.self,
            GalleryCommand.self, InfoCommand.self, FetchCommand.self, PrefetchCommand.self,
            WarmCommand.self, CacheCommand.self, FormatsCommand.self, DoctorCommand.self,
            HelpCommand.self,
        ])

    /// The command of arguments, parsed.
    static func command(_ arguments: [String]) throws -> any ParsableCommand {
        // The parser knows no short name for it.
        if arguments == ["-V"] { return try parseAsRoot(["--version"]) }
        do {
            return try parsed(BatchCommand.arranged(arguments))
        } catch {
            if let joined = NegativeArguments.joined(arguments, after: message(for: error)) {
                return try command(joined)
            }
            let piped = PipedArguments.completed(arguments, after: failure(error, arguments))
            guard let piped else { throw error }
            return try parseAsRoot(piped)
        }
    }

    /// The parser makes all options of a subcommand once more where it comes from the root, which takes a
    /// millisecond; what is no command to run (errors, help) comes from the root, whose texts name it.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        let words = Array(arguments.dropFirst())
        if let name = arguments.first,
            let subcommand = configuration.subcommands.first(where: { $0.names.contains(name) }),
            let command = try? subcommand.parseAsRoot(words), type(of: command) == subcommand
        {
            return command
        }
        return try parseAsRoot(arguments)
    }

    /// The failure for arguments that the parser refuses.
    static func failure(_ error: any Error, _ arguments: [String]) -> CommandFailure {
        let path = CommandPath(arguments, from: self)
        return path.failure
            ?? UsageText.failure(
                message(for: error), arguments, options: CommandFlags(of: path.command).long,
                commands: configuration.subcommands,
                help: path.name + " --help")
    }
}
