internal import ArgumentParser
internal import LazyBatch
internal import LazyEditing
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// `lazyimg animate`: an animated thumbnail of a clip.
struct AnimateCommand: JobCommand {
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

            Pictures (a.png b.png, a folder, frame-%04d.png, frames.json) are all used, for 0.1 s each \
            unless they have times, or --fps or --delay sets one. Of one frame the result is a still in \
            the format that was asked for (as video 0.1 s of it), and a warning says so.

            With --max-bytes the file is never larger: quality is reduced first, while artifacts stay \
            invisible, then size, then the number of frames, and a warning says what was. An exact \
            size stays (128x128^ and 128x128!, --pad and --crop to a size): quality and frames pay. If \
            not even a few frames of 32 pixels, or of the exact size, fit, the exit code is 76.

            Examples:
              lazyimg animate film.mp4
              lazyimg animate film.mp4 -o film.gif --width 240 --fps 12
              lazyimg animate film.mp4 --start 1:02 --duration 4 --bounce
              lazyimg animate film.mp4 --width 200 --height 200 --fit cover --gravity smart
              lazyimg animate film.mp4 --max-bytes 200K -f webp
              lazyimg animate film.mp4 --for discord-emoji
              lazyimg animate frame*.png clip.gif --fps 12
              lazyimg animate *.mp4 -o previews/ --quality 60
            """)

    @OptionGroup var inputs: InputArguments
    @OptionGroup var destination: OutputOptions<AnimateOutput>
    @OptionGroup(title: "Frames") var clip: ClipOptions
    @OptionGroup(title: "Frames") var pictures: PictureOptions

    @Option("The maximum number of segments. Default: 3.", Words.pieces, as: "n")
    var pieces: Int?

    @Flag(help: "Use the whole clip instead of the best segments.")
    var whole = false

    @Option(
        "How the loop is closed: auto (a segment is cut where it resembles its beginning), none, crossfade or bounce.",
        Words.choice(LoopSeam.self), as: "way")
    var loopSeam: LoopSeam?

    @OptionGroup(title: "Encoding") var encoding: EncodingArguments

    @Option("The maximum size of the file: 200K, 1.5M, 64KiB.", Words.byteCount, as: "size")
    var maxBytes: Int?

    @Option(
        "Where it goes, which sets size, format, length and bytes: discord-emoji, discord-sticker, slack-emoji, telegram-sticker, telegram-emoji or whatsapp-sticker (lazyimg help for).",
        Words.choice(Rendition.Platform.self), as: "platform")
    var `for`: Rendition.Platform?

    @Flag(help: "Print the candidate segments and their scores.")
    var explain = false

    @OptionGroup var decoding: DecodingOptions
    @OptionGroup var options: JobOptions

    var jobs: Int { decoding.parallel.jobs }
    var joinsInputs: Bool? { pictures.concat }
}

/// The outputs of `animate`.
enum AnimateOutput: OutputDescription {
    static let formats = AnimateJob.formats
    static let standardName =
        "the input's name with .webp, next to the input; for a URL in the current folder"
}

extension AnimateCommand {
    func job(_ inputs: [Input]) throws -> AnimateJob {
        try refuseContradictions()
        let reading = pictures.timing(
            decoding.rendering.rendering(try options.reading(inputs)), rate: clip.fps)
        var asked = try clip.asked()
        if clearedLength != nil { asked.parts = [] }
        if whole { asked.segments = [.zero..<ClipEdit.toTheEnd] }
        var edit = asked
        edit.overlays = try CommandFailure.converting(
            clip.edits.overlay.overlays(options.limits.limits.choice.files))
        let animation = Rendition.Animation(
            length: clearedLength, pieces: pieces, seam: loopSeam ?? .auto,
            looping: encoding.loop ?? .forever)
        var rendition = Rendition(
            .animation(animation), reading: reading.pixels, edit: asked,
            output: .init(
                destination.format?.type(isAnimation: true), encoding.options(),
                limit: maxBytes.map { .bytes($0) }))
        rendition.output.platform = `for`
        // One of its formats that the output is named for, else its usual one; other names are refused as types are.
        let types = `for`?.bounds.types ?? []
        let named = [destination.naming.name?.ending, destination.output].lazy.compactMap(\.self)
            .compactMap { OutputFormat(path: $0)?.type(isAnimation: true) }.first
        let usual =
            named == nil ? types.first?.fileExtensions.first.flatMap { OutputFormat($0) } : nil
        let format = destination.format ?? usual
        return AnimateJob(
            rendition: rendition, edit: edit, threads: encoding.threading.threads,
            format: format,
            output: destination.output, expectsSilence: encoding.noAudio, isExplained: explain,
            overwrite: options.existing.policy, reading: reading)
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
