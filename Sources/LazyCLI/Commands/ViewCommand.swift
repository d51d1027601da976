internal import ArgumentParser
internal import LazyEditing
internal import LazyRenditions

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
              lazyimg view --only animations --fullscreen pictures/
              lazyimg view --trim --subtitles track:en film.mkv
            """)

    /// The kinds of media that are shown.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case all, images, animations, films
    }

    @Argument(
        help: "Media: a path, a folder, or a URL (http, https, file, data); without, this folder.",
        completion: .file())
    var input: [String] = []

    @Flag(name: [.customShort("f"), .long], help: "Cover the screen.")
    var fullscreen = false

    @Flag(name: [.customShort("g"), .long], help: "Show the grid first, also for one file.")
    var grid = false

    @Option(help: .init("Show all media, or only images, animations or films.", valueName: "kind"))
    var only = Kind.all

    @Option(
        help: .init(
            "Decode in locked processes of their own: always, never, or auto, which does; see 'lazyimg help isolation'.",
            valueName: "when"))
    var isolate = IsolationChoice.auto

    @OptionGroup(title: "Edits") var edits: EditOptions
    @OptionGroup(title: "Edits") var gravity: CropGravityOptions
    @OptionGroup var report: ReportOptions

    func run() throws {
        try edits.check(gravity)
        let program = CompanionProgram(
            "lazyimg-view",
            hint: "Install the package lazyimg-view, or build it with 'make view-install'.")
        try program.replaceProcess(arguments)
    }

    /// The arguments of the other program.
    var arguments: [String] {
        (fullscreen ? ["--fullscreen"] : []) + (grid ? ["--grid"] : [])
            + (only == .all ? [] : ["--only", only.rawValue])
            + (isolate == .auto ? [] : ["--isolate", isolate.rawValue]) + edits.words
            + (gravity.gravity.map { ["--gravity", Words.gravity.text($0)] } ?? []) + ["--"] + input
    }
}
