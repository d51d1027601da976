internal import ArgumentParser
internal import CommandSupport
internal import LazyEditing
internal import LazyMedia
internal import LazyPreviews
internal import MediaJobs

/// `lazyimg animate`: a small animation that stands for a clip.
struct AnimateCommand: AsyncParsableCommand, JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "animate",
        abstract: "Write a small animation that stands for the media.",
        discussion: """
            Without further options: an animated WebP, 320 pixels across, 10 frames a second (or those \
            of the source, where these are fewer than 20), of 3 seconds out of the best pieces of the \
            clip: something moves, nothing is black, fades or is cut; a piece that loops without a \
            seam is preferred. Short clips and animations are taken whole; flat art (drawings, pixel \
            art) of up to 480 pixels keeps its size, and its exact pixels as WebP. The answer is the \
            same every time; --explain prints what was weighed.

            With --max-bytes the file has no more bytes than that: first quality is given up as far as \
            no blocks are seen, then size, then frames; where not even a few frames of 32 pixels fit, \
            the exit code is 76.

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
            "The file to write (\(OutputFormat.endings(AnimateJob.formats))), a folder, or - for standard output. A second name, of a file that is not there yet, needs no -o. Default: the input's name with .webp, beside the input; for a URL in the current folder.",
            valueName: "file"),
        completion: .file(extensions: AnimateJob.formats.map(\.rawValue)))
    var output: String?

    @OptionGroup(title: "Options for the clip") var clip: ClipOptions

    @Option(
        help: .init("Choose so many pieces at most. Default: 3.", valueName: "n"),
        transform: { try Arguments.whole($0, 1...10) })
    var pieces: Int?

    @Flag(help: "Take the whole clip instead of the best pieces.")
    var whole = false

    @Option(
        help: .init(
            "How the end meets the beginning: auto (a chosen piece is cut where it comes back to where it was), none, crossfade or bounce.",
            valueName: "way"),
        completion: .list(LoopSeam.allCases.map(\.rawValue)), transform: Arguments.word)
    var loopSeam: LoopSeam?

    @OptionGroup(title: "Options for the encoding") var encoding: EncodingArguments

    @Option(
        help: .init("The most bytes of the file: 200K, 1.5M, 64KiB.", valueName: "size"),
        transform: Arguments.bytes)
    var maxBytes: Int?

    @Flag(help: "Print the pieces that were weighed, and their scores.")
    var explain = false

    @OptionGroup var parallel: ParallelOptions

    @OptionGroup var existing: OverwriteOptions
    @OptionGroup(title: "Options for the network") var network: EncodingNetworkOptions
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
            reading: try Reading(reading, network, inputs: inputs, report))
    }

    /// The options as a thumbnail; its type is settled by each output.
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

    /// A duration by itself says how much is chosen, not that it is at the beginning.
    private var clearedLength: Duration? {
        clip.range.start == nil && clip.range.end == nil ? clip.range.duration : nil
    }

    private func refuseContradictions() throws(CommandFailure) {
        let isGiven = clip.hasRange && clearedLength == nil
        if whole, clip.hasRange {
            throw .usage("--whole takes everything and cannot be combined with a range.")
        }
        if pieces != nil, isGiven || whole {
            throw .usage("--pieces is for pieces that are chosen, and here they are given.")
        }
        if clip.bounce, let seam = loopSeam, seam == .crossfade || seam == .none {
            throw .usage("--bounce cannot be combined with --loop-seam \(seam.rawValue).")
        }
        if clip.crossfade != nil, let seam = loopSeam, seam != .crossfade {
            throw .usage("--crossfade cannot be combined with --loop-seam \(seam.rawValue).")
        }
        if clip.bounce, clip.crossfade != nil {
            throw .usage("--bounce has no seam that --crossfade could hide.")
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
