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
            The format is that of -o or --format. Without other options every frame is kept, with the \
            duration that browsers show and, if the format has one, the loop count. Flat art \
            (drawings, pixel art, screenshots) becomes lossless WebP or nearly lossless AVIF, \
            photographs become lossy; a dithered GIF is undithered before lossy encoding. --explain \
            prints these choices.

            An animation as another animation, a video as another video, a still as another still, and \
            a GIF as a video are not written if they would be larger than the source, unless \
            --allow-larger or an option that changes the frames is given; the exit code is then 73, so \
            that a script does not delete the source. A video as GIF, WebP, APNG or AVIF may be \
            larger. An animation becomes a still only with --still.

            Videos are silent: dropping the sound of a source causes a warning, unless --no-audio is \
            given.

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
            "The file to write (\(OutputFormat.endings(ConvertJob.formats))), a folder, or - for standard output. A second name, of a file that does not exist, needs no -o. Default: the input's name with the format's extension, next to the input.",
            valueName: "file"),
        completion: .file(extensions: ConvertJob.formats.map(\.rawValue)))
    var output: String?

    @OptionGroup(title: "What is written") var encoding: EncodingArguments

    @Option(
        help: .init(
            "Whether to remove dithering first: auto (dithered GIFs for lossy formats), never or always.",
            valueName: "when"),
        completion: .list(Conversion.Undithering.allCases.map(\.rawValue)),
        transform: Arguments.word)
    var undither: Conversion.Undithering = .auto

    @Flag(help: "Write the first frame only.")
    var still = false

    @Flag(help: "Write the output even if it is larger than the source.")
    var allowLarger = false

    @OptionGroup(title: "Which frames") var clip: ClipOptions

    @Flag(help: "Print the choices and their reasons.")
    var explain = false

    @OptionGroup var parallel: ParallelOptions

    @Option(
        help: .init("Whether to replace existing files: 'never' or 'always'.", valueName: "when"))
    var overwrite: OverwritePolicy = .never

    @Flag(help: "Replace existing files and allow larger ones: both of the above.")
    var force = false

    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup(title: "Common options") var rendering: RenderingOptions
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
    /// Neither an option nor a file name gives the format.
    private var formatNotTold: CommandFailure {
        guard input.count == 2 else {
            return Self.formatNotTold("Name one with --format, or a file with -o.")
        }
        let name = input[1]
        if FileKind(name) == .file {
            return Self.formatNotTold(
                "\(name) exists already: to replace it, write -o before its name.")
        }
        guard let ending = FilePath.fileExtension(of: name) else {
            return Self.formatNotTold("Name one with --format, or a file with -o.")
        }
        return .usage(
            "Files with the extension .\(ending) cannot be written.",
            hint:
                "Use the extension \(OutputFormat.endings(ConvertJob.formats)), or name the format with --format."
        )
    }

    private static func formatNotTold(_ hint: String) -> CommandFailure {
        .usage("The output format is missing.", hint: hint)
    }
}
