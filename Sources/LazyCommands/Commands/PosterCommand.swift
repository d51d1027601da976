internal import ArgumentParser
internal import LazyMedia

/// `lazyimg poster`: one picture that stands for the media.
struct PosterCommand: AsyncParsableCommand, JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster",
        abstract: "Write one picture that stands for the media.",
        discussion: """
            Without --at the best of several frames near a tenth of the play length is taken: not \
            black, not empty, not in a fade. The answer is the same every time; --explain prints \
            what was looked at. Of a video on a server that knows ranges only the bytes are loaded \
            that the picture needs.

            Examples:
              lazyimg poster clip.mp4 -o poster.png
              lazyimg poster https://example.org/film.mp4 --width 320
              lazyimg poster clip.mp4 --at 00:01:02.5 --width 320
              lazyimg poster clip.mp4 --at 25% -o - | other-program
              lazyimg poster film.mp4 --at embedded -o cover.png
              lazyimg poster *.gif --width 160 -o thumbnails/
            """,
        aliases: ["thumb", "thumbnail", "preview"])

    @Argument(
        help: "Media: a path, - for standard input, or a URL (http, https, file, data).",
        completion: .file())
    var input: [String]

    @Option(
        name: [.short, .long],
        help: .init(
            "The file to write (.png or .ppm), a folder, or - for standard output. Default: the input's name with .png, beside the input; for a URL in the current folder.",
            valueName: "file"),
        completion: .file(extensions: ["png", "ppm"]))
    var output: String?

    @Option(
        name: [.customShort("t"), .long], parsing: .unconditional,
        help: .init(
            "Which picture: auto, first, last, embedded (cover art), a time (12.5, 1m2s, 00:01:02.5), a share (25%) or a frame (#120, -1 for the last).",
            valueName: "moment"),
        completion: .list(["auto", "first", "last", "embedded"]),
        transform: { try PosterChoice(parsing: $0) })
    var at: PosterChoice = .auto

    @Option(
        name: [.customShort("f"), .long],
        help: .init("png, ppm or raw, whatever the file is called.", valueName: "format"),
        completion: .list(PictureFormat.allCases.map(\.rawValue)))
    var format: PictureFormat?

    @OptionGroup var size: SizeOptions

    @Flag(help: "Print the frames that were looked at, and their scores.")
    var explain = false

    @Option(
        name: [.customShort("j"), .long],
        help: .init(
            "Work on so many inputs at once; 0 is one for each core.", valueName: "n"),
        transform: Arguments.jobs)
    var jobs: Int = 0

    @OptionGroup var existing: OverwriteOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let inputs = try Input.parse(input)
        try await JobRunner(try job(inputs), jobs: jobs, report).run(inputs)
    }

    func job(_ inputs: [Input]) throws -> PosterJob {
        PosterJob(
            output: output, format: format, choice: at, target: try size.target(),
            isExplained: explain, overwrite: existing.policy,
            reading: try Reading(reading, network, inputs: inputs, report))
    }
}

extension PictureFormat: ExpressibleByArgument {}
