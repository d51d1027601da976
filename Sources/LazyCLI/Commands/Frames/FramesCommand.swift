internal import ArgumentParser
internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// `lazyimg frames`: frames as pictures.
struct FramesCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames",
        abstract: "Write frames of a film or an animation as pictures.",
        discussion: """
            Every frame is written once, composited to the full canvas; frames.json beside them has the \
            time of each. Each file appears complete or not at all. --every, --fps, --at, --scenes and \
            --keyframes choose frames; --every 10 counts frames, --every 10s time. Of each step of time it is \
            the frame that is on screen then, so that --every 10s and --at 10s show the same one.

            -o names a folder, a pattern such as out/%05d.png, or - for a stream. Without it the folder is \
            NAME-frames next to the input. Several inputs have a folder each.

            Examples:
              lazyimg frames clip.mp4 -o out/
              lazyimg frames film.mkv --every 10s -W 320 -f jpg -o out/
              lazyimg frames film.mkv --at 10,1m30s,50%,last -o out/
              lazyimg frames film.mkv --scenes -o out/
              lazyimg frames clip.mp4 --fps 5 --start 1m2s --duration 3 -o 'out/%03d.webp'
              lazyimg frames clip.mp4 -f y4m -o - | encoder
              lazyimg frames -r films/ --keyframes -o out/
            """)

    @OptionGroup var inputs: InputArguments
    @OptionGroup var destination: FrameDestination
    @OptionGroup(title: "Frames") var frames: FrameOptions
    @OptionGroup(title: "Frames") var range: RangeOptions
    @OptionGroup(title: "Edits") var gravity: CropGravityOptions
    @OptionGroup(title: "Edits") var edits: EditOptions
    @OptionGroup(title: "Common options") var rendering: RenderingOptions
    @OptionGroup var options: JobOptions

    var takesOutputWord: Bool { false }
    var readsOnlyInputs: Bool { frames.isLinked && !edits.overlay.isGiven }
}

/// The folder of frames.
struct FrameDestination: DestinationOptions {
    static let formats: [OutputFormat] = []

    @Option(
        "The folder to write, a pattern of names in one (out/%05d.png), or - for standard output. Default: NAME-frames next to the input.",
        as: "dir", name: [.customShort("o", allowingJoined: true), .long], completion: .directory)
    var output: String?

    @OptionGroup var naming: NamingOptions

    var format: OutputFormat? { nil }
}

extension FramesCommand {
    func job(_ inputs: [Input]) throws -> FramesJob {
        let place = try FramePlace(destination.output, frames.pattern)
        let format = try frames.chosenFormat(place.pattern)
        if case .stream = place.kind {
            try frames.checkStream(format, named: "-o")
        } else if format == .null {
            throw CommandFailure.usage("--format null writes no files.", hint: "Use -o - with it.")
        }
        let isListed = place.kind == .folder && !format.isStream
        let reading = try frames.colors.reading(
            rendering.rendering(try options.reading(inputs)), rendering)
        let target = try frames.size.target()
        var edit = try CommandFailure.converting(
            edits.edit(
                gravity.place(of: edits, isCovering: target?.fit == .cover),
                options.limits.limits.choice.files))
        edit.size = target
        var rendition = try frames.rendition(
            format, isListed: isListed, range: range, edit: edit, reading)
        edit = rendition.edit
        rendition.edit.overlays = try CommandFailure.converting(edits.overlay.asked())
        if place.kind == .folder, let pattern = place.pattern { try frames.check(pattern) }
        var job = FramesJob(
            output: destination.output,
            writing: FrameWriting(
                rendition: rendition, edit: edit, reading: reading, threads: frames.jobs ?? 0,
                overwrite: options.existing.policy))
        (job.pattern, job.startNumber) = (place.pattern, frames.startNumber ?? 0)
        return job
    }
}

/// What the value of `-o` names.
struct FramePlace {
    enum Kind: Equatable {
        /// Standard output.
        case stream
        /// A file of all frames.
        case file
        /// A folder of files.
        case folder
    }
    let kind: Kind
    /// The path of the folder or the file; nil for one beside the input.
    let path: String?
    /// The names of the frames, if they are given.
    let pattern: NamePattern?

    /// Reads the value; throws for a pattern twice.
    init(_ output: String?, _ pattern: NamePattern?) throws(CommandFailure) {
        guard let output, output != "-" else {
            (kind, path, self.pattern) = (output == nil ? .folder : .stream, nil, pattern)
            return
        }
        guard !output.isEmpty else {
            throw .usage("An output has an empty name.", hint: "Name a folder with -o.")
        }
        let name = output.lastName
        let ending = FilePath.fileExtension(of: name).flatMap { FrameFormat(word: $0) }
        let isName = name.contains("%") || name.contains("{") || ending?.pictures != nil
        guard !output.endsInSlash, FileKind(output) != .folder, isName else {
            (kind, path, self.pattern) = (.folder, output, pattern)
            return
        }
        if ending == .y4m {
            (kind, path, self.pattern) = (.file, output, try NamePattern(word: name))
            return
        }
        if pattern != nil {
            throw .usage(
                "-o \(output) and --pattern both name the files.", hint: "Name the folder with -o.")
        }
        (kind, path) = (.folder, output.parentFolder)
        self.pattern = try NamePattern(word: name)
    }
}

extension NamePattern {
    /// Parses the last part of an output.
    fileprivate init(word: String) throws(CommandFailure) {
        do throws(WordError) { self = try NamePattern(word) } catch {
            throw .usage("In the names of frames, \(error.description).")
        }
    }
}
