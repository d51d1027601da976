internal import ArgumentParser
internal import CommandSupport
internal import LazyEditing
internal import LazyMedia
internal import LazyPreviews
internal import MediaJobs

/// `lazyimg animate`: an animated thumbnail of a clip.
struct AnimateCommand: AsyncParsableCommand, JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "animate",
        abstract: "Write an animated thumbnail of the best segments.",
        discussion: """
            Without options: an animated WebP of 3 seconds, 320 pixels wide, at 10 frames per second \
            (or the rate of the source if that is below 20), made of the best segments of the clip: \
            with motion, without black frames, fades or scene cuts; a segment that loops seamlessly is \
            preferred. Short clips and animations are used completely; flat art (drawings, pixel art) \
            of up to 480 pixels keeps its size, and in WebP its exact pixels. The result is \
            deterministic; --explain prints the candidates.

            With --max-bytes the file is never larger: quality is reduced first, while artifacts stay \
            invisible, then size, then the number of frames; if not even a few frames of 32 pixels \
            fit, the exit code is 76.

            Examples:
              lazyimg animate film.mp4
              lazyimg animate film.mp4 -o film.gif --width 240 --fps 12
              lazyimg animate film.mp4 --start 1:02 --duration 4 --bounce
              lazyimg animate film.mp4 --width 200 --height 200 --fit cover --gravity smart
              lazyimg animate film.mp4 --max-bytes 200K -f webp
              lazyimg animate *.mp4 -o previews/ --quality 60
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
            "The file to write (\(OutputFormat.endings(AnimateJob.formats))), a folder, or - for standard output. A second name, of a file that does not exist, needs no -o. Default: the input's name with .webp, next to the input; for a URL in the current folder.",
            valueName: "file"),
        completion: .file(extensions: AnimateJob.formats.map(\.rawValue)))
    var output: String?

    @OptionGroup(title: "Options for the clip") var clip: ClipOptions

    @Option(
        help: .init("The maximum number of segments. Default: 3.", valueName: "n"),
        transform: { try Arguments.whole($0, 1...10) })
    var pieces: Int?

    @Flag(help: "Use the whole clip instead of the best segments.")
    var whole = false

    @Option(
        help: .init(
            "How the loop is closed: auto (a segment is cut where it resembles its beginning), none, crossfade or bounce.",
            valueName: "way"),
        completion: .list(LoopSeam.allCases.map(\.rawValue)), transform: Arguments.word)
    var loopSeam: LoopSeam?

    @OptionGroup(title: "Options for the encoding") var encoding: EncodingArguments

    @Option(
        help: .init("The maximum size of the file: 200K, 1.5M, 64KiB.", valueName: "size"),
        transform: Arguments.bytes)
    var maxBytes: Int?

    @Flag(help: "Print the candidate segments and their scores.")
    var explain = false

    @OptionGroup var parallel: ParallelOptions

    @OptionGroup var existing: OverwriteOptions
    @OptionGroup(title: "Options for the network") var network: EncodingNetworkOptions
    @OptionGroup var rendering: RenderingOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var report: ReportOptions

    mutating func run() async throws {
        let inputs = try takeInputs()
        let runner = JobRunner(
            try job(inputs), jobs: parallel.jobs, naming: naming.name, report.style)
        try await runner.run(inputs)
    }

    func job(_ inputs: [Input]) throws -> AnimateJob {
        AnimateJob(
            thumbnail: try thumbnail(), format: encoding.format, output: output,
            expectsSilence: encoding.noAudio, isExplained: explain, overwrite: existing.policy,
            reading: rendering.rendering(
                try Reading(reading, network, inputs: inputs, report)))
    }

    /// The options as a thumbnail; the type follows from each output.
    private func thumbnail() throws(CommandFailure) -> AnimatedThumbnail {
        try refuseContradictions()
        let usual = AnimatedThumbnail()
        var (edit, length) = (try clip.edit(), usual.length)
        let isUsualSize = edit.size == nil
        if isUsualSize { edit.size = usual.edit.size }
        if let wanted = clearedLength { (edit.segments, length) = ([], wanted) }
        if whole { edit.segments = [.zero..<ClipEdit.toTheEnd] }
        var thumbnail = AnimatedThumbnail(
            edit: edit, length: length, pieces: pieces ?? usual.pieces, seam: loopSeam ?? .auto,
            looping: encoding.loop ?? .forever, encoding: encoding.options(), maxBytes: maxBytes)
        thumbnail.keepsFlatArt = isUsualSize
        return thumbnail
    }

    /// A duration alone is the length of the thumbnail, from anywhere in the clip.
    private var clearedLength: Duration? {
        clip.range.start == nil && clip.range.end == nil ? clip.range.duration : nil
    }

    private func refuseContradictions() throws(CommandFailure) {
        let isGiven = clip.hasRange && clearedLength == nil
        if whole, clip.hasRange {
            throw .usage("--whole cannot be combined with a range.")
        }
        if pieces != nil, isGiven || whole {
            throw .usage("--pieces cannot be combined with --whole or a range.")
        }
        if clip.bounce, let seam = loopSeam, seam == .crossfade || seam == .none {
            throw .usage("--bounce cannot be combined with --loop-seam \(seam.rawValue).")
        }
        if clip.crossfade != nil, let seam = loopSeam, seam != .crossfade {
            throw .usage("--crossfade cannot be combined with --loop-seam \(seam.rawValue).")
        }
        if clip.bounce, clip.crossfade != nil {
            throw .usage("--bounce cannot be combined with --crossfade.")
        }
    }
}

extension Arguments {
    /// `200K`, `1.5M`, `64KiB`: a number of bytes of at least 1.
    static func bytes(_ text: String) throws -> Int {
        guard let bytes = ByteSize.parse(text), bytes > 0 else {
            throw ArgumentError("a size is written as 1500, 200K, 1.5M or 64KiB")
        }
        return bytes
    }
}
