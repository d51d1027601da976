internal import ArgumentParser
internal import CommandSupport
internal import LazyFiles
internal import LazyKit
internal import LazyMedia
internal import LazyPreviews
internal import MediaJobs

/// `lazyimg convert`: the same clip in another format.
struct ConvertCommand: AsyncParsableCommand, JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write a clip or animation in another format, with all frames and exact timing.",
        discussion: """
            The format is told by -o or --format. Without other options every frame is kept, shown as \
            long as browsers show it, and the number of plays where the format has one. Flat art \
            (drawings, pixel art, screens) becomes lossless WebP or nearly lossless AVIF, photographs \
            lossy; a dithered GIF is undithered before a lossy codec sees it. --explain says what was \
            chosen.

            An animation that is written as another animation, a video as another video, a still as \
            another still, and a GIF as a video is not written where it would be larger than its \
            source, unless --allow-larger or an option that changes the frames is given; the exit \
            code is 73 then, so that a script does not throw the source away. A video as GIF, WebP, \
            APNG or AVIF may be larger. An animation becomes a still only with --still.

            Videos are silent: that the sound of a source is left out is a warning, unless --no-audio \
            says that this is wanted.

            Examples:
              lazyimg convert clip.gif clip.mp4
              lazyimg convert clip.gif -o clip.mp4 --quality 80
              lazyimg convert clip.gif -f webp
              lazyimg convert clip.webm -o clip.gif --width 320 --fps 12
              lazyimg convert clip.gif -o clip.webp --lossless
              lazyimg convert *.gif -f avif -o out/
              lazyimg convert clip.mp4 --start 3 --duration 2 -f apng -o - | other-program
            """)

    @Argument(
        help: "Media: a path, - for standard input, or a URL (http, https, file, data).",
        completion: .file())
    var input: [String]

    @OptionGroup var taking: InputOptions
    @OptionGroup var naming: NamingOptions

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: .init(
            "The file to write (\(OutputFormat.endings(ConvertJob.formats))), a folder, or - for standard output. A second name, of a file that is not there yet, needs no -o. Default: the input's name with the format's ending, beside the input.",
            valueName: "file"),
        completion: .file(extensions: ConvertJob.formats.map(\.rawValue)))
    var output: String?

    @OptionGroup(title: "What is written") var encoding: EncodingArguments

    @Option(
        help: .init(
            "Take the dithering of a palette out first: auto (a dithered GIF to a lossy format), never or always.",
            valueName: "when"),
        completion: .list(Conversion.Undithering.allCases.map(\.rawValue)),
        transform: Arguments.word)
    var undither: Conversion.Undithering = .auto

    @Flag(help: "Write the first frame only.")
    var still = false

    @Flag(help: "Write it even if it is larger than its source.")
    var allowLarger = false

    @OptionGroup(title: "Which frames") var clip: ClipOptions

    @Flag(help: "Print what was chosen, and why.")
    var explain = false

    @OptionGroup var parallel: ParallelOptions

    @Option(
        help: .init("Whether to replace files that exist: 'never' or 'always'.", valueName: "when"))
    var overwrite: OverwritePolicy = .never

    @Flag(help: "Replace files that exist, and write what is larger: both of the above.")
    var force = false

    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup(title: "Common options") var reading: ReadingOptions
    @OptionGroup(title: "Common options") var report: ReportOptions

    mutating func run() async throws {
        let inputs = try takeInputs()
        let runner = JobRunner(
            try job(inputs), jobs: parallel.jobs, naming: naming.name, report.style)
        try await runner.run(inputs)
    }

    func job(_ inputs: [Input]) throws -> ConvertJob {
        guard output != nil || encoding.format != nil else { throw formatNotTold }
        return ConvertJob(
            output: output, format: encoding.format, edit: try clip.edit(),
            options: encoding.options(), loop: encoding.loop, undithering: undither,
            expectsSilence: encoding.noAudio, isStill: still, allowsLarger: allowLarger || force,
            isExplained: explain,
            overwrite: force ? .always : overwrite,
            reading: try Reading(reading, network, inputs: inputs, report))
    }
}

extension ConvertCommand {
    /// Neither an option nor a name says what is to be written.
    private var formatNotTold: CommandFailure {
        guard input.count == 2 else {
            return Self.formatNotTold("Name it with --format, or a file after -o.")
        }
        let name = input[1]
        if FileKind(name) == .file {
            return Self.formatNotTold(
                "\(name) is there already: to write it, put -o before its name.")
        }
        guard let ending = FilePath.fileExtension(of: name) else {
            return Self.formatNotTold("Name it with --format, or a file after -o.")
        }
        return .usage(
            "A file that ends in .\(ending) cannot be written.",
            hint:
                "End it in \(OutputFormat.endings(ConvertJob.formats)), or name the format with --format."
        )
    }

    private static func formatNotTold(_ hint: String) -> CommandFailure {
        .usage("The format to convert to is not told.", hint: hint)
    }
}
