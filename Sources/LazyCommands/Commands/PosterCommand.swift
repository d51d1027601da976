internal import ArgumentParser
internal import LazyMedia

/// `lazyimg poster`: one picture that stands for the media.
struct PosterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster",
        abstract: "Write one picture that stands for the media.",
        discussion: """
            Without --at the best of several frames near a tenth of the play length is taken: not \
            black, not empty, not in a fade. The answer is the same every time; --explain prints \
            what was looked at.

            Examples:
              lazyimg poster clip.mp4 -o poster.png
              lazyimg poster clip.mp4 --at 00:01:02.5 --width 320
              lazyimg poster clip.mp4 --at 25% -o - | other-program
              lazyimg poster film.mp4 --at embedded -o cover.png
            """,
        aliases: ["thumb", "thumbnail", "preview"])

    @Argument(
        help: "Media: a path, - for standard input, or a file: or data: URL.", completion: .file())
    var input: String

    @Option(
        name: [.short, .long],
        help: .init(
            "The file to write (.png or .ppm), a folder, or - for standard output. Default: the input's name with .png, beside the input.",
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

    @OptionGroup var existing: OverwriteOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let input = try Input.parse([self.input])[0]
        let target = try size.target()
        let file = try PictureFile(output, for: input, format: format)
        try file.refuseExisting(existing.policy)
        let sequence = try input.open(reading.limits.limits)
        let (poster, bitmap) = try await poster(of: sequence, input, target)
        try await Interruption.tidily { () throws(CommandFailure) in
            try file.write(bitmap, existing.policy)
        }
        try tell(poster, bitmap, file, sequence.info, input)
    }

    private func poster(
        of sequence: FrameSequence, _ input: Input, _ target: TargetSize?
    ) async throws(CommandFailure) -> (Poster, Bitmap) {
        do throws(MediaError) {
            if let target { try sequence.limits.check(canvas: sequence.decodedSize(target)) }
            let poster = try await sequence.poster(at, size: target)
            return (poster, try poster.bitmap.cropped(toFit: target))
        } catch {
            throw input.failure(error)
        }
    }

    private func tell(
        _ poster: Poster, _ bitmap: Bitmap, _ file: PictureFile, _ info: MediaInfo, _ input: Input
    ) throws(CommandFailure) {
        if !report.quiet { Warnings.say(info.warnings, about: input, asJSON: report.json) }
        let text: String
        if report.json {
            text = Reports.poster(poster, bitmap.size, file.label, isExplained: explain).text
        } else if explain {
            text = Reports.explanation(poster)
        } else {
            return
        }
        // The picture itself may be on standard output.
        if file.isStandardOutput {
            Console.say(String(text.dropLast()))
        } else {
            try Console.print(text)
        }
    }
}

extension PictureFormat: ExpressibleByArgument {}
