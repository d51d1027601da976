internal import ArgumentParser
internal import LazyBase
internal import LazyKit
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// `lazyimg convert`: the same clip in another format.
struct ConvertCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write a clip or animation in another format, with all frames and exact timing.",
        discussion: """
            The format is that of -o or --format. Without other options every frame is kept, with the \
            duration that browsers show and, if the format has one, the loop count. Flat art \
            (drawings, pixel art, screenshots) becomes lossless WebP or nearly lossless AVIF, \
            photographs become lossy; a dithered GIF is undithered before lossy encoding. --explain \
            prints these choices.

            In the same format nothing is written that would be larger than the source, unless \
            --allow-larger or an option that changes the frames is given; the exit code is then 73, so \
            that a script does not delete the source. Another format may be larger. A GIF gets smaller \
            with --lossy or a --quality below 100, as gifsicle's. An animation becomes a still only \
            with --still.

            Pictures become an animation: several pictures and one output; a folder, in natural order; \
            frame-%04d.png; the frames.json of 'frames' or an .ffconcat script, with their times. \
            --fps or --delay says how long each is shown. Any inputs are joined where one output is named, \
            or by --concat. Other sizes than the first are fitted into it and centered.

            Videos are silent unless --audio copy is given, which copies the packets of all sounds with \
            their languages: in MP4 AAC, MP3, AC-3, ALAC, FLAC and Opus, in WebM Opus and Vorbis; \
            --audio 2 or eng is one of them. Title, date, copyright and chapters are kept there (--keep). \
            Dropping a sound of a source in a video causes a warning, unless --audio none or --no-audio says that \
            this is wanted.

            Examples:
              lazyimg convert clip.gif clip.mp4
              lazyimg convert clip.gif -o clip.mp4 --quality 80
              lazyimg convert clip.gif -f webp
              lazyimg convert film.mov clip.mp4 --start 1:02 --duration 10 --audio copy
              lazyimg convert clip.webm -o clip.gif --width 320 --fps 12
              lazyimg convert clip.gif -o clip.webp --lossless
              lazyimg convert *.gif -f avif -o out/
              lazyimg convert frame-%04d.png clip.webp --fps 24
              lazyimg convert out/frames.json -o clip.gif
              lazyimg convert film.mp4 -o clip.webp --trim --crop 1:1 --width 320
              lazyimg convert --concat intro.mp4 cat.gif end.png -o all.mp4 --delay 2
              lazyimg convert clip.mp4 --start 3 --duration 2 -f apng -o - | other-program
            """)

    @OptionGroup var inputs: InputArguments
    @OptionGroup var destination: OutputOptions<ConvertOutput>
    @OptionGroup(title: "Encoding") var encoding: EncodingArguments
    @OptionGroup(title: "Encoding") var colors: ColorOptions

    @Option(
        "Whether to remove dithering first: auto (dithered GIFs for lossy formats), never or always.",
        Words.choice(Rendition.Conversion.Undithering.self), as: "when")
    var undither: Rendition.Conversion.Undithering = .auto

    @Option(
        "Copy all sounds (copy), that of a number (2) or a language (eng), or none: video is silent.",
        Words.sound, as: "what")
    var audio: Rendition.Conversion.Sound?

    @Option(
        "What to keep of a film's title, date, copyright and chapters: none, safe, or all, which also has where and with what it was recorded.",
        Words.choice(Rendition.Conversion.Kept.self), as: "what")
    var keep: Rendition.Conversion.Kept?

    @Flag(help: "Write the first frame only.")
    var still = false

    @Flag(help: "Write the output even if it is larger than the source; --force includes this.")
    var allowLarger = false

    @OptionGroup(title: "Frames") var clip: ClipOptions
    @OptionGroup(title: "Frames") var pictures: PictureOptions

    @Flag(help: "Print the choices and their reasons.")
    var explain = false

    @OptionGroup var decoding: DecodingOptions
    @OptionGroup var options: JobOptions

    var jobs: Int { decoding.parallel.jobs }
    var joinsInputs: Bool? { pictures.concat }
    var readsOnlyInputs: Bool {
        destination.isLinked && colors.color != .keep && !clip.edits.overlay.isGiven
    }
}

/// The outputs of `convert`.
enum ConvertOutput: OutputDescription {
    static let formats = ConvertJob.formats
    static let standardName = "the input's name with the format's extension, next to the input"

    static var words: String {
        let stills = formats.filter { !OutputFormat.animated.contains($0) }
        return OutputFormat.words(OutputFormat.animated)
            + " (\(OutputFormat.words(stills)) for one image)"
    }
}

extension ConvertCommand {
    func job(_ inputs: [Input]) throws -> ConvertJob {
        guard destination.output != nil || destination.format != nil else { throw missingFormat }
        let reading = pictures.timing(
            try colors.reading(
                decoding.rendering.rendering(try options.reading(inputs)), decoding.rendering),
            rate: clip.fps)
        var conversion = Rendition.Conversion(
            looping: encoding.loop, undithering: undither,
            sound: audio ?? (encoding.noAudio ? Rendition.Conversion.Sound.none : nil),
            isStill: still)
        conversion.kept = keep ?? .safe
        return ConvertJob(
            output: destination.output, format: destination.format,
            rendition: Rendition(
                .conversion(conversion), reading: reading.pixels, edit: try clip.asked(),
                output: .init(
                    destination.format?.type, encoding.options(),
                    limit: allowLarger || options.existing.force ? nil : .source)),
            edit: try clip.edit(options.limits.limits.choice),
            threads: encoding.threading.threads, isExplained: explain,
            overwrite: options.existing.policy, reading: reading)
    }

    /// Neither an option nor a file name gives the format.
    private var missingFormat: CommandFailure {
        guard inputs.input.count == 2 else {
            return Self.missingFormat("Name one with --format, or a file with -o.")
        }
        let name = inputs.input[1]
        if FileKind(name) == .file {
            return Self.missingFormat(
                "\(name) exists already: to replace it, write -o before its name.")
        }
        guard let ending = FilePath.fileExtension(of: name) else {
            return Self.missingFormat("Name one with --format, or a file with -o.")
        }
        return .usage(
            "Files with the extension .\(ending) cannot be written.",
            hint:
                "Use the extension \(OutputFormat.endings(ConvertJob.formats)), or name the format with --format."
        )
    }

    private static func missingFormat(_ hint: String) -> CommandFailure {
        .usage("The output format is missing.", hint: hint)
    }
}
