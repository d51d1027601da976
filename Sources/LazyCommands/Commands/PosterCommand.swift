internal import ArgumentParser
internal import CommandSupport
internal import LazyEditing
internal import LazyMedia
internal import LazyPreviews
internal import MediaJobs

/// `lazyimg poster`: one image that represents the media.
struct PosterCommand: AsyncParsableCommand, JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster",
        abstract: "Write one image that represents the media.",
        discussion: """
            Without --at the best of several frames near a tenth of the duration is used: not black, \
            not empty, not in a fade. The choice is deterministic; --explain prints the candidates. \
            The output is a PNG in the full size of the media unless -o, --format, --width, --height \
            or --size say otherwise; a time after the end is an error. Of a remote video only the \
            bytes that the image needs are loaded if the server supports ranges.

            Examples:
              lazyimg poster clip.mp4 -o poster.png
              lazyimg poster https://example.org/film.mp4 --width 320
              lazyimg poster clip.mp4 --at 00:01:02.5 --width 320
              lazyimg poster clip.mp4 --at 25% -o - | other-program
              lazyimg poster film.mp4 --at embedded -o cover.png
              lazyimg poster *.gif -s 160 -o thumbnails/
              lazyimg poster clip.mp4 -o poster.webp --quality 70 --width 640
              lazyimg poster clip.mp4 -s '200x200^' --gravity smart -o face.jpg
              lazyimg poster clip.mp4 --xdg-thumbnail large
            """,
        aliases: ["thumb", "thumbnail", "preview"])

    @Argument(
        help: "Media: a path, - for standard input, or a URL (http, https, file, data).",
        completion: .file())
    var input: [String]

    @OptionGroup var taking: InputOptions
    @OptionGroup var naming: NamingOptions

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: .init(
            "The file to write (\(OutputFormat.endings(OutputFormat.still))), a folder, or - for standard output. A second name, of a file that does not exist, needs no -o. Default: the input's name with .png, next to the input; for a URL in the current folder.",
            valueName: "file"),
        completion: .file(extensions: OutputFormat.still.map(\.rawValue)))
    var output: String?

    @Option(
        name: [.customShort("t", allowingJoined: true), .long], parsing: .unconditional,
        help: .init(
            "Which image: auto, first, last, embedded (cover art), a time (12.5, 1m2s, 00:01:02.5), a percentage (25%) or a frame (#120, -1 for the last).",
            valueName: "moment"),
        completion: .list(["auto", "first", "last", "embedded"]),
        transform: { try PosterChoice(parsing: $0) })
    var at: PosterChoice = .auto

    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: .init(
            "\(OutputFormat.words(OutputFormat.still)), regardless of the file name.",
            valueName: "format"),
        completion: .list(OutputFormat.still.map(\.rawValue)),
        transform: Arguments.format(OutputFormat.still))
    var format: OutputFormat?

    @OptionGroup var frame: FramingOptions

    @Option(
        name: [.customShort("q", allowingJoined: true), .long],
        help: .init(
            "The quality, 0 to 100 (\(OutputFormat.titles(of: OutputFormat.picture) { $0.traits?.fidelity != .exact })).",
            valueName: "number"),
        transform: { try Arguments.number($0, 0...100) })
    var quality: Double?

    @Option(
        help: .init(
            "The effort for smaller files: 0 (fast) to 10 (small).",
            valueName: "number"),
        transform: { try Arguments.whole($0, 0...10) })
    var effort: Int?

    @Option(
        help: .init(
            "The color behind transparent pixels if the format has no alpha (JPEG), as in CSS: white, #ff8000.",
            valueName: "color"),
        transform: Arguments.color)
    var background: PixelColor?

    @Option(
        help: .init(
            "Write a thumbnail to the cache of the desktop (~/.cache/thumbnails): normal (128 pixels), large (256), x-large (512) or xx-large (1024). A valid one is kept.",
            valueName: "size"),
        completion: .list(ThumbnailSize.allCases.map(\.rawValue)), transform: Arguments.word)
    var xdgThumbnail: ThumbnailSize?

    @Option(
        help: .init(
            "The image to use if an input cannot be read; this is reported, but is no error.",
            valueName: "file"),
        completion: .file())
    var fallback: String?

    @Flag(help: "Print the candidate frames and their scores.")
    var explain = false

    @OptionGroup var parallel: ParallelOptions

    @OptionGroup var existing: OverwriteOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup var rendering: RenderingOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var report: ReportOptions

    mutating func run() async throws {
        let inputs = try takeInputs()
        let runner = JobRunner(
            try job(inputs), jobs: parallel.jobs, naming: naming.name, report.style)
        try await runner.run(inputs)
    }

    func job(_ inputs: [Input]) throws -> PosterJob {
        try refuseContradictions()
        var target = try frame.target()
        if let side = xdgThumbnail?.side {
            target = TargetSize(width: side, height: side, fit: .scaleDown)
        }
        return PosterJob(
            output: output, format: format, choice: at, target: target,
            gravity: frame.gravity ?? .center, fallback: try fallback.map(Self.fallback),
            encoding: EncodingOptions(quality: quality, effort: effort, background: background),
            thumbnail: xdgThumbnail, isExplained: explain, overwrite: existing.policy,
            reading: rendering.rendering(
                try Reading(reading, network, inputs: inputs, report)))
    }

    private static func fallback(_ text: String) throws(CommandFailure) -> Input {
        let inputs = try Input.parse([text])
        guard let input = inputs.first, input.address != .standardInput else {
            throw .usage("--fallback needs the name of an image.")
        }
        return input
    }

    // The standard defines size and format of a thumbnail.
    private func refuseContradictions() throws(CommandFailure) {
        guard xdgThumbnail != nil else { return }
        let given = [
            ("--output", output != nil), ("--format", format != nil),
            ("--width", frame.size.width != nil), ("--height", frame.size.height != nil),
            ("--size", frame.size.size != nil), ("--gravity", frame.gravity != nil),
            ("--quality", quality != nil), ("--effort", effort != nil),
            ("--background", background != nil), ("--fallback", fallback != nil),
        ]
        if let (name, _) = given.first(where: \.1) {
            throw .usage("--xdg-thumbnail cannot be combined with \(name).")
        }
    }
}
