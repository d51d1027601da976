internal import ArgumentParser
internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// Which frames are written, and how.
struct FrameOptions: ParsableArguments {
    @Option(
        "What to write: png, jpg, webp, avif, ppm, raw (RGBA8 rows), y4m (one stream), framehash (SHA-256 of each frame) or null (decode only). Default: by the name, or png.",
        as: "format", name: [.customShort("f", allowingJoined: true), .long],
        completion: .list(FrameFormat.allCases.map(\.rawValue)))
    var format: FrameFormat?

    @Option(
        "The quality of jpg, webp and avif, 0 to 100.",
        Words.quality, as: "number", name: [.customShort("q", allowingJoined: true), .long])
    var quality: Double?

    @Option(
        "Write only every Nth frame (10), or one for each step of time (10s, 500ms).",
        Words.step, as: "n|time")
    var every: Rendition.Frames.Step?

    @Option(
        help: .init(
            "Write the frames at these positions: a time (12.5, 1m2s), a percentage (25%), a frame (#120, -1 for the last), a chapter (chapter:3), first or last, separated by commas. May be repeated.",
            valueName: "positions"), transform: { try Words.positions.parse($0) })
    var at: [[PosterChoice]] = []

    @Flag(help: "Write the first frame of each scene, after a cut.")
    var scenes = false

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

    @OptionGroup var colors: ColorOptions

    @OptionGroup var transparency: BackgroundOptions

    /// Whether frames are encoded by libraries that the program is linked with, and keep no profile of colors.
    var isLinked: Bool { (try? chosenFormat(pattern)) != .avif && colors.color != .keep }

    /// The options that are given.
    var given: [(String, Bool)] {
        [
            ("--format", format != nil), ("--quality", quality != nil),
            ("--every", every != nil), ("--at", !at.isEmpty), ("--scenes", scenes),
            ("--keyframes", keyframes),
            ("--max-frames", count.maxFrames != nil), ("--fps", fps != nil),
            ("--width", size.width != nil), ("--height", size.height != nil),
            ("--size", size.size != nil), ("--fit", size.fit != nil),
            ("--pattern", pattern != nil), ("--start-number", startNumber != nil),
            ("--hash", hash), ("--jobs", jobs != nil), ("--color", colors.color != nil),
            ("--background", transparency.background != nil),
        ]
    }

    /// The format, by the name of files where none is given.
    func chosenFormat(_ pattern: NamePattern?) throws(CommandFailure) -> FrameFormat {
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

    /// What is made; throws for contradictions.
    ///
    /// A stream or a file of its own has no list in JSON.
    func rendition(
        _ format: FrameFormat, isListed: Bool, range: RangeOptions, edit: ClipEdit,
        _ reading: Reading
    ) throws(CommandFailure) -> Rendition {
        if quality != nil, !format.hasQuality {
            throw .usage(
                "--quality is for jpg, webp and avif, and the frames are \(format.rawValue).")
        }
        var selected = Rendition.Frames()
        (selected.every, selected.keyframesOnly) = (every ?? .frames(1), keyframes)
        (selected.positions, selected.scenesOnly) = (Array(at.joined()), scenes)
        (selected.maximum, selected.rate) = (count.maxFrames, fps)
        selected.hashesPixels = hash
        selected.isListing = format.pictures == nil
        selected.indexes =
            format == .framehash ? [.framehash] : !isListed || format == .null ? [] : [.json]
        try checkChoice(range)
        var edit = edit
        edit.parts = try range.section().map { [$0] } ?? []
        return Rendition(
            .frames(selected), reading: reading.pixels, edit: edit,
            output: .init(
                format.pictures,
                EncodingOptions(quality: quality, background: transparency.background)))
    }

    /// Throws for two ways to choose frames.
    private func checkChoice(_ range: RangeOptions) throws(CommandFailure) {
        var steps = false
        if case .time? = every { steps = true }
        try CommandFailure.refuse([
            ("--fps", fps != nil, "--every", every != nil),
            ("--fps", fps != nil, "--keyframes", keyframes),
            ("--every with a time", steps, "--keyframes", keyframes),
            ("--at", !at.isEmpty, "--every", every != nil),
            ("--at", !at.isEmpty, "--fps", fps != nil),
            ("--at", !at.isEmpty, "--keyframes", keyframes),
            ("--at", !at.isEmpty, "--scenes", scenes),
            ("--at", !at.isEmpty, "--start, --end or --duration", range.isGiven),
            ("--scenes", scenes, "--every", every != nil),
            ("--scenes", scenes, "--fps", fps != nil),
            ("--scenes", scenes, "--keyframes", keyframes),
        ])
    }

    /// Throws where frames cannot follow each other in a stream.
    func checkStream(_ format: FrameFormat, named option: String) throws(CommandFailure) {
        if !format.canFollow {
            throw .usage(
                "AVIF files need a folder, and \(option) - writes a stream.",
                hint: "Add --format png, jpg, webp, raw, y4m, ppm, framehash or null.")
        }
        if format.isBinary, OutputStream.standardOutput.isTerminal {
            throw .usage(
                "Images are not written to a terminal.", hint: "Redirect them to a program or file."
            )
        }
        for (name, isGiven) in [
            ("--pattern", pattern != nil), ("--start-number", startNumber != nil), ("--hash", hash),
        ] where isGiven {
            throw .usage("\(name) needs files and cannot be combined with \(option) -.")
        }
    }

    /// Throws where names are those of several frames.
    func check(_ pattern: NamePattern) throws(CommandFailure) {
        let isOne = count.maxFrames == 1 || at.joined().count == 1
        guard pattern.tellsFramesApart || isOne else {
            throw .usage(
                "The pattern gives all frames the same name.",
                hint: pattern.fileExtension.flatMap { FrameFormat(word: $0) } == .raw
                    ? "Add %05d or {index} to it; '-f raw -o -' writes one stream."
                    : "Add %05d or {index} to it.")
        }
    }
}

extension FrameFormat: ExpressibleByArgument {
    init?(argument: String) { self.init(word: argument) }
}
