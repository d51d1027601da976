internal import ArgumentParser
internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// The options that need `--frames`.
struct ExportOptions: ParsableArguments {
    @Option(
        "What to write: png, jpg, webp, avif, ppm, raw (RGBA8 rows), framehash (SHA-256 of each frame) or null (decode only). Default: by the pattern, or png.",
        as: "format", name: [.customShort("f", allowingJoined: true), .long],
        completion: .list(FrameFormat.allCases.map(\.rawValue)))
    var format: FrameFormat?

    @Option(
        "The quality of jpg, webp and avif, 0 to 100.",
        Words.quality, as: "number", name: [.customShort("q", allowingJoined: true), .long])
    var quality: Double?

    @Option("Write only every Nth frame.", Words.count, as: "n")
    var every: Int?

    @Flag(help: "Write keyframes only.")
    var keyframes = false

    @OptionGroup var count: FrameCountOptions

    @Option("Resample to a frame rate: 12, 12.5 or 30000/1001.", Words.rate, as: "rate")
    var fps: Rational?

    @OptionGroup var size: SizeOptions

    @Option(
        "The file names: %05d is the running number; also {name} {ext} {input} {number} {index:06} {pts_ms} {pts_us} {duration_ms} {width} {height}. Default: frame-%05d.png, or {name}-%05d.png for several inputs.",
        as: "pattern", transform: { try NamePattern($0) })
    var pattern: NamePattern?

    @Option("The first running number. Default: 0.", Words.distance, as: "n")
    var startNumber: Int?

    @Flag(help: "Add the SHA-256 of each frame's pixels to frames.json.")
    var hash = false

    @Option(
        "The number of frames to encode at once; 0 is one per core.",
        Words.threads, as: "n", name: [.customShort("j", allowingJoined: true), .long])
    var jobs: Int?

    @Option(
        "The colors of frames: srgb (the default), or keep for the values of the file. PNG then has 16 bits if the source has more than 8, and says what they mean.",
        as: "colors")
    var color: FrameColors?

    @OptionGroup var transparency: BackgroundOptions
    @OptionGroup var existing: OverwriteOptions

    /// The colors that frames are written in.
    enum FrameColors: String, CaseIterable, ExpressibleByArgument {
        case srgb
        case keep
    }

    /// Whether frames are encoded by libraries that the program is linked with, and keep no profile of colors.
    var isLinked: Bool { (try? chosenFormat()) != .avif && color != .keep }

    /// Throws if one of the options is given.
    func refuse(_ reason: String) throws(CommandFailure) {
        let given: [(String, Bool)] =
            [
                ("--format", format != nil), ("--quality", quality != nil),
                ("--every", every != nil), ("--keyframes", keyframes),
                ("--max-frames", count.maxFrames != nil), ("--fps", fps != nil),
                ("--width", size.width != nil), ("--height", size.height != nil),
                ("--size", size.size != nil), ("--fit", size.fit != nil),
                ("--pattern", pattern != nil), ("--start-number", startNumber != nil),
                ("--hash", hash), ("--jobs", jobs != nil), ("--color", color != nil),
                ("--background", transparency.background != nil),
            ]
        if let (name, _) = given.first(where: \.1) { throw .usage("\(name) \(reason).") }
    }

    /// The options as a plan; throws for contradictions.
    func plan(
        frames: String, inputs: [Input], range: RangeOptions, edit: ClipEdit
    ) throws(CommandFailure) -> ExportPlan {
        let format = try chosenFormat()
        if quality != nil, !format.hasQuality {
            throw .usage(
                "--quality is for jpg, webp and avif, and the frames are \(format.rawValue).")
        }
        let isStream = frames == "-"
        try isStream ? checkStream(format) : checkFolder(format)
        let pattern = try pattern(for: format, inputs)
        let selection = try selection(range)
        return ExportPlan(
            format: format,
            destination: isStream ? .standardOutput : .folder(OutputFolder(frames)),
            selection: selection, edit: edit, pattern: pattern,
            startNumber: startNumber ?? 0, overwrite: existing.policy, wantsHashes: hash,
            encoding: EncodingOptions(
                quality: quality, background: transparency.background),
            jobs: jobs.flatMap { $0 == 0 ? nil : $0 } ?? BlockingPool.coreCount,
            hasSeveralInputs: inputs.count > 1)
    }

    private func chosenFormat() throws(CommandFailure) -> FrameFormat {
        if let format { return format }
        guard let ending = pattern?.fileExtension else { return .png }
        guard let format = FrameFormat(word: ending) else {
            throw .usage(
                "The pattern ends in .\(ending), which cannot be written.",
                hint:
                    "Use the extension .png, .jpg, .webp, .avif, .ppm or .raw, or name the format with --format."
            )
        }
        return format
    }

    private func selection(_ range: RangeOptions) throws(CommandFailure) -> FrameSelection {
        if fps != nil, every != nil || keyframes {
            throw .usage("--fps cannot be combined with --every or --keyframes.")
        }
        return FrameSelection(
            part: try range.part(), every: every ?? 1, keyframesOnly: keyframes,
            maximum: count.maxFrames, rate: fps)
    }

    private func checkStream(_ format: FrameFormat) throws(CommandFailure) {
        if !format.canFollow {
            throw .usage(
                "AVIF files need a folder, and --frames - writes a stream.",
                hint: "Add --format png, jpg, webp, raw, ppm, framehash or null.")
        }
        if format.isBinary, OutputStream.standardOutput.isTerminal {
            throw .usage(
                "Images are not written to a terminal.", hint: "Redirect them to a program or file."
            )
        }
        for (name, isGiven) in [
            ("--pattern", pattern != nil), ("--start-number", startNumber != nil), ("--hash", hash),
        ] where isGiven {
            throw .usage("\(name) needs files and cannot be combined with --frames -.")
        }
    }

    private func checkFolder(_ format: FrameFormat) throws(CommandFailure) {
        if format == .null {
            throw .usage("--format null writes no files.", hint: "Use --frames - with it.")
        }
    }

    private func pattern(
        for format: FrameFormat, _ inputs: [Input]
    ) throws(CommandFailure) -> NamePattern {
        let isSingle = inputs.count == 1
        let pattern = self.pattern ?? .usual(isSingle: isSingle, format.rawValue)
        guard pattern.tellsFramesApart || count.maxFrames == 1 else {
            throw .usage(
                "The pattern gives all frames the same name.", hint: "Add %05d or {index} to it.")
        }
        let names = Set(inputs.map(\.address.name))
        guard isSingle || pattern.tellsInputsApart(byName: names.count == inputs.count) else {
            throw .usage(
                "Two inputs would write files of the same name.",
                hint: "Add {input} to --pattern.")
        }
        return pattern
    }
}

extension FrameFormat: ExpressibleByArgument {
    init?(argument: String) { self.init(word: argument) }
}
