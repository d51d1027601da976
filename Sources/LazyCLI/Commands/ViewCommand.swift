internal import ArgumentParser
internal import LazyOptions

/// `lazyimg view`: opens a window, which is another program.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Show media in a window.",
        discussion: """
            Shows a grid of the media in folders and lists, or a viewer of one file with the other \
            media of its folder before and after it. In the window, press ? for the keys.

            The window is the program lazyimg-view, which is installed apart, because it needs GTK 4. \
            Exits with 69 if it is missing, or if there is no display.

            Edits (--crop, --text, --subtitles …) apply to all that is shown, also to saved frames. A file \
            without the track of subtitles is shown without them.

            Examples:
              lazyimg view
              lazyimg view clip.mp4
              lazyimg view films/ https://example.org/cat.gif
              lazyimg view --kind animation --fullscreen pictures/
              lazyimg view --trim --subtitles track:en film.mkv
            """)

    @OptionGroup var options: ViewOptions
    @OptionGroup var report: ReportOptions

    func run() throws {
        try CommandFailure.converting(options.check())
        let program = CompanionProgram(
            "lazyimg-view",
            hint: "Install the package lazyimg-view, or build it with 'make view-install'.")
        try program.replaceProcess(options.words)
    }
}
