internal import ArgumentParser
internal import CommandSupport

/// `lazyimg`: the root of the command line.
struct LazyImg: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lazyimg",
        abstract: "Animated pictures and silent video, as frames, posters and facts.",
        discussion: """
            An INPUT is a path, - for standard input, or an http:, https:, file: or data: URL. What \
            it is is told by its bytes, never by its name. What is downloaded is kept, by the rules \
            of HTTP, and a download that was broken off is continued by the same command.

            Examples:
              lazyimg play clip.mp4                    show it in the terminal
              lazyimg play clip.mp4 --frames out/      write every frame as PNG
              lazyimg poster clip.mp4 -o poster.png    write the picture that stands for it
              lazyimg animate clip.mp4                 write an animated thumbnail of its best pieces
              lazyimg convert clip.gif -o clip.mp4     write it in another format
              lazyimg sheet clip.mp4                   write its frames on one page, with WebVTT
              lazyimg info clip.mp4 --json             print what it is
              lazyimg loop clip.gif --loop 3 --in-place change how often it plays
              lazyimg batch poster '*.mp4' -o posters/ do one job for many inputs
              lazyimg fetch https://example.org/a.gif  download it, through the cache
              lazyimg cache stats                      say what the caches hold

            Exit codes: 0 done; 1 some of several inputs failed; 64 wrong command line; 65 bad or \
            unsupported media; 66 input missing, also 404 and not in the cache with --offline; \
            69 a server cannot be had, or a library is missing (FFmpeg for video); 73 output exists \
            or cannot be made; 74 reading or writing failed; 75 may go better later (time-outs, \
            broken connections, 429); 76 over a limit; 77 not permitted, also 401 and 403; 129, \
            130, 131 and 143 ended by SIGHUP, SIGINT, SIGQUIT or SIGTERM; 128 + n ended by signal n.
            """,
        version: Version.line.dropLast().description,
        subcommands: [
            PlayCommand.self, PosterCommand.self, AnimateCommand.self, ConvertCommand.self,
            LoopCommand.self, SheetCommand.self, BatchCommand.self, InfoCommand.self,
            FetchCommand.self, PrefetchCommand.self, CacheCommand.self, FormatsCommand.self,
            DoctorCommand.self,
        ])
}
