internal import ArgumentParser
internal import LazyBase
internal import LazyMedia
internal import LazyOptions
internal import LazyPipeline
internal import LazyRenditions

/// `lazyimg make`: what a rendition in JSON says.
struct MakeCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Make what a rendition in JSON says.",
        discussion: """
            A rendition is what a command of lazyimg makes, in JSON: poster, animation, conversion, loop, sheet \
            or frames, with its edit and its output. Every report of --json has one as 'rendition', so that what was made once \
            can be made again of other inputs. 'lazyimg help rendition' prints its JSON Schema.

            The type of the output is that of the rendition; without one it is that of -o. Files that it names \
            (watermarks, subtitles) are read, and have to be those of their digests.

            Examples:
              lazyimg poster a.mp4 -s 320 -o a.webp --json | jq .rendition > poster.json
              lazyimg make poster.json b.mp4 -o b.webp
              lazyimg make '{"kind": "animation", "output": {"maxBytes": "200k"}}' b.mp4
              lazyimg make poster.json -r films/ -o posters/
            """)

    @Argument(
        help: "The rendition: a file of JSON, or the JSON itself.",
        completion: .file(extensions: ["json"])
    )
    var rendition: String

    @OptionGroup var inputs: InputArguments
    @OptionGroup var destination: OutputOptions<MakeOutput>

    @Flag(help: "Print the choices and their reasons.")
    var explain = false

    @OptionGroup var parallel: ParallelOptions
    @OptionGroup var options: JobOptions

    var jobs: Int { parallel.jobs }
}

/// The outputs of `make`.
enum MakeOutput: OutputDescription {
    static let formats = OutputFormat.media + OutputFormat.still.filter { $0.type == nil }
    static let standardName =
        "the input's name with the extension of the rendition's type, next to the input"
}

extension MakeCommand {
    func job(_ inputs: [Input]) throws -> MakeJob {
        let asked = try Self.read(rendition)
        var reading = try options.reading(inputs)
        (reading.track, reading.color, reading.deinterlaces) = (
            asked.reading.track, asked.reading.color, asked.reading.deinterlaces
        )
        if case .frames = asked.kind {
        } else {
            reading.pictures.joinsFolders = true
        }
        return MakeJob(try making(asked, reading))
    }

    /// The job of its kind.
    private func making(
        _ asked: Rendition, _ reading: Reading
    ) throws(CommandFailure) -> any MediaJob {
        let made = try CommandFailure.converting(
            options.limits.limits.choice.files.read(asked))
        do throws(MediaError) { _ = try made.checked() } catch {
            throw CommandFailure(.usage, error.code.rawValue, error.message)
        }
        try refuseOtherName(asked)
        let (edit, overwrite) = (made.edit, options.existing.policy)
        let format =
            destination.format
            ?? asked.output.type.flatMap { $0.fileExtensions.first }.flatMap { OutputFormat($0) }
        switch asked.kind {
        case .facts:
            throw .usage("Facts are printed by 'lazyimg info --json'.")
        case .poster:
            return PosterJob(
                output: destination.output, format: format, rendition: asked, edit: edit,
                fallback: nil, thumbnails: [], isExplained: explain, overwrite: overwrite,
                reading: reading)
        case .animation:
            return AnimateJob(
                rendition: asked, edit: edit, threads: 0, format: format,
                output: destination.output, expectsSilence: false, isExplained: explain,
                overwrite: overwrite, reading: reading)
        case .conversion:
            return ConvertJob(
                output: destination.output, format: format, rendition: asked, edit: edit,
                threads: 0, isExplained: explain, overwrite: overwrite, reading: reading)
        case .sheet:
            return SheetJob(
                output: destination.output, format: format, rendition: asked, edit: edit,
                trickplay: nil, threads: 0, prefix: "", overwrite: overwrite, reading: reading)
        case .frames(var frames):
            var rendition = asked
            if frames.indexes.isEmpty, destination.output != "-", asked.output.type != .y4m {
                frames.indexes = [.json]
            }
            rendition.kind = .frames(frames)
            if let type = format?.pictureType { rendition.output.type = type }
            return FramesJob(
                output: destination.output,
                writing: FrameWriting(
                    rendition: rendition, edit: edit, reading: reading, threads: 0,
                    overwrite: overwrite))
        case .loop(let change):
            return LoopJob(
                output: destination.output, change: change, isInPlace: false,
                overwrite: overwrite, reading: reading)
        }
    }

    /// Throws where the output is named for another type than that of the rendition.
    private func refuseOtherName(_ asked: Rendition) throws(CommandFailure) {
        guard destination.format == nil, let type = asked.output.type,
            let output = destination.output, let named = OutputFormat(path: output)
        else { return }
        guard ![named.type(isAnimation: true), named.type(isAnimation: false)].contains(type),
            !type.fileExtensions.contains(FilePath.fileExtension(of: output)?.lowercased() ?? "")
        else { return }
        throw .usage(
            "The rendition makes \(type.title), and \(output) is named for another type.",
            hint: "Name it with .\(type.fileExtensions.first ?? "bin"), or take output.type out.")
    }

    /// The rendition of a file, or of a text that is one.
    private static func read(_ word: String) throws(CommandFailure) -> Rendition {
        let text = word.first == "{" ? word : try content(of: word)
        do throws(WordError) { return try Rendition(json: text) } catch {
            let failure = CommandFailure.usage("In the rendition, " + error.sentence)
            throw word.first == "{" ? failure : failure.about(word)
        }
    }

    private static func content(of path: String) throws(CommandFailure) -> String {
        guard let input = try Input.parse([path]).first, input.isFile else {
            throw .usage("The rendition is the name of a file, or JSON.")
        }
        do throws(MediaError) {
            let limits = DecodingLimits(inputBytes: 1 << 20)
            let bytes = try input.bytes(limits)
            try limits.check(inputBytes: bytes.count)
            return String(
                decoding: try bytes.contiguous().withBytes { [UInt8]($0) }, as: UTF8.self)
        } catch {
            throw input.failure(error)
        }
    }
}

/// `make`: the job of the kind of a rendition.
struct MakeJob: MediaJob {
    static let name = "make"
    private var job: any MediaJob

    init(_ job: any MediaJob) { self.job = job }

    var output: String? {
        get { job.output }
        set { job.output = newValue }
    }
    var overwrite: OverwritePolicy {
        get { job.overwrite }
        set { job.overwrite = newValue }
    }
    var isRepeatable: Bool { job.isRepeatable }
    var key: String { job.key }
    var recordedKey: String { job.recordedKey }
    var threads: Int { job.threads }

    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        try job.outputs(for: input, isAlone: isAlone)
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        try await job.run(input, isAlone: isAlone, progress: progress)
    }
}
