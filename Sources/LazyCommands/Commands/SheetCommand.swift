internal import ArgumentParser
internal import CommandSupport
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyPreviews
internal import MediaJobs

/// `lazyimg sheet`: many little pictures of a clip on one page, with WebVTT.
struct SheetCommand: AsyncParsableCommand, JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet",
        abstract: "Write a sprite sheet of a clip, with WebVTT and JSON beside it.",
        discussion: """
            Pictures of the clip, one each so many seconds, stand in rows on one page, for the \
            previews of a player's time line or as a contact sheet. The .vtt file says which \
            rectangle belongs to which time, the .json file also which frame each tile shows. A page \
            has at most 16384 pixels a side; further pages are numbered: NAME-01.jpg, NAME-02.jpg.

            Where a keyframe lies within half an interval of a tile's time the tile shows it, else the \
            frame on screen at that time; both without H.264's deblocking, which is not seen at this \
            size. --exact takes the very frame with its very pixels, --keyframes keyframes alone, \
            which is quickest by far. The files always say which frame it was.

            Examples:
              lazyimg sheet clip.mp4
              lazyimg sheet cat.gif
              lazyimg sheet clip.mp4 -o sheet.webp --interval 2 --width 240
              lazyimg sheet clip.mp4 --columns 10 --rows 6 -o contact.jpg --no-vtt --no-json-file
              lazyimg sheet film.mp4 --keyframes --interval 10 --url-prefix https://cdn.example/f/
              lazyimg sheet *.mp4 -o sheets/
            """,
        aliases: ["storyboard", "contact-sheet"])

    @Argument(
        help: "Media: a path, - for standard input, or a URL (http, https, file, data).",
        completion: .file())
    var input: [String]

    @OptionGroup var taking: InputOptions
    @OptionGroup var naming: NamingOptions

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: .init(
            "The page to write (\(OutputFormat.endings(SheetJob.formats))), a folder, or - for standard output. A second name, of a file that is not there yet, needs no -o. Default: the input's name with -sheet.jpg, beside the input.",
            valueName: "file"),
        completion: .file(extensions: SheetJob.formats.map(\.rawValue)))
    var output: String?

    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: .init(
            "\(OutputFormat.words(SheetJob.formats)), whatever the file is called.",
            valueName: "format"),
        completion: .list(SheetJob.formats.map(\.rawValue)),
        transform: Arguments.format(SheetJob.formats))
    var format: OutputFormat?

    @OptionGroup(title: "Which pictures") var tiles: SheetOptions
    @OptionGroup(title: "What is written") var files: SheetFileOptions

    @OptionGroup var parallel: ParallelOptions

    @OptionGroup var existing: OverwriteOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup(title: "Common options") var reading: ReadingOptions
    @OptionGroup(title: "Common options") var report: ReportOptions

    mutating func run() async throws {
        let inputs = try takeInputs()
        let runner = JobRunner(
            try job(inputs), jobs: parallel.jobs, naming: naming.name, report.style)
        try await runner.run(inputs)
    }

    func job(_ inputs: [Input]) throws -> SheetJob {
        SheetJob(
            output: output, format: format, layout: try tiles.layout(),
            options: files.options(), writesVTT: files.vtt, writesJSON: files.jsonFile,
            prefix: files.urlPrefix ?? "", overwrite: existing.policy,
            reading: try Reading(reading, network, inputs: inputs, report))
    }
}

/// Which pictures stand on a sheet, and how.
struct SheetOptions: ParsableArguments {
    @Option(
        name: [.customShort("i", allowingJoined: true), .long],
        help: .init(
            "The time from one picture to the next. Default: a hundredth of the clip, at least 1 s; of less than 10 s ten pictures, or all frames of a GIF, WebP, APNG or AVIF (100 at most).",
            valueName: "time"),
        transform: Arguments.duration)
    var interval: Duration?

    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: .init("So many pictures, evenly over the clip.", valueName: "n"),
        transform: Arguments.positive)
    var count: Int?

    @Option(help: .init("Pictures side by side.", valueName: "n"), transform: Arguments.positive)
    var columns: Int = 10

    @Option(
        help: .init(
            "Rows on a page; without --interval and --count one page of columns times rows.",
            valueName: "n"), transform: Arguments.positive)
    var rows: Int?

    @OptionGroup var frame: FramingOptions

    @Option(
        help: .init("Pixels between pictures.", valueName: "pixels"),
        transform: Arguments.notNegative)
    var gap: Int = 0

    @Option(
        help: .init(
            "What shows between pictures and through them: a CSS color such as black or #ff8000. Default: nothing, or white in JPEG.",
            valueName: "color"),
        transform: Arguments.color)
    var background: PixelColor?

    @Flag(exclusivity: .exclusive, help: "How true pictures are to their times.")
    var precision: SheetPrecision?

    /// The options as a layout; throws what contradicts itself.
    func layout() throws(CommandFailure) -> SheetLayout {
        let target = try frame.target() ?? TargetSize(width: 160)
        if let interval, interval <= .zero { throw .usage("--interval is a time above 0.") }
        guard gap <= 1024 else { throw .usage("--gap has at most 1024 pixels.") }
        return SheetLayout(
            interval: interval, count: count, columns: columns, rows: rows, tile: target,
            gravity: frame.gravity ?? .center, gap: gap, background: background,
            precision: precision?.layout ?? .near)
    }
}

/// How true pictures are to their times, as flags.
enum SheetPrecision: String, EnumerableFlag {
    case exact, keyframes

    var layout: SheetLayout.Precision {
        switch self {
        case .exact: .exact
        case .keyframes: .keyframes
        }
    }
}

/// The files of a sheet, and how good they are.
struct SheetFileOptions: ParsableArguments {
    @Option(
        name: [.customShort("q", allowingJoined: true), .long],
        help: .init("How good it looks, 0 to 100. Default: 75.", valueName: "number"),
        transform: { try Arguments.number($0, 0...100) })
    var quality: Double?

    @Option(
        help: .init(
            "How much work may be spent on fewer bytes: 0 (fast) to 10 (small).",
            valueName: "number"),
        transform: { Int(try Arguments.whole($0, 0...10)) })
    var effort: Int?

    @Flag(inversion: .prefixedNo, help: "Write a WebVTT file beside the page.")
    var vtt = true

    @Flag(inversion: .prefixedNo, help: "Write a JSON file beside the page.")
    var jsonFile = true

    @Option(
        help: .init(
            "What stands before the pages' names in the WebVTT file, such as an address that ends in a slash.",
            valueName: "prefix"))
    var urlPrefix: String?

    @Option(
        help: .init("Threads to work on; 0 is one for each core.", valueName: "n"),
        transform: Arguments.jobs)
    var threads: Int = 0

    /// The options for an encoder.
    func options() -> EncodingOptions {
        EncodingOptions(quality: quality, effort: effort, threads: threads)
    }
}
