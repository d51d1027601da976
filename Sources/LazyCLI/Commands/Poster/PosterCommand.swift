internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// `lazyimg poster`: one image that represents the media.
struct PosterCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster",
        abstract: "Write one image that represents the media.",
        discussion: """
            Without --at the best of several frames near a tenth of the duration is used: not black, \
            not empty, not in a fade; a clearly good keyframe up to a second before will do. The choice \
            is deterministic; --explain prints the candidates. With --start, --end or --duration it is \
            made in that part. The output is a PNG in the full size of \
            the media unless -o, --format, --width, --height or --size say otherwise; a time after the \
            end is an error. The poster of a song is its cover. In a pipe \
            neither input nor output need be named. Of a remote video only the bytes that the image needs are loaded if the \
            server supports ranges.

            Examples:
              lazyimg poster clip.mp4 -o poster.png
              lazyimg poster https://example.org/film.mp4 --width 320
              lazyimg poster clip.mp4 --at 00:01:02.5 --width 320
              lazyimg poster film.mp4 --start 10:00 --end 12:00
              lazyimg poster clip.mp4 --at 25% -o - | other-program
              other-program | lazyimg poster > poster.png
              lazyimg poster song.mp3 -o cover.png
              lazyimg poster film.mp4 --at embedded -o cover.png
              lazyimg poster *.gif -s 160 -o thumbnails/
              lazyimg poster clip.mp4 -o poster.webp --quality 70 --width 640
              lazyimg poster clip.mp4 -s '200x200^' --gravity smart -o face.jpg
              lazyimg poster film.mp4 --trim --crop 16:9 --width 640
              lazyimg poster clip.mp4 --xdg-thumbnail large
            """,
        aliases: ["thumb", "thumbnail", "preview"])

    @OptionGroup var inputs: InputArguments
    @OptionGroup var destination: OutputOptions<PosterOutput>

    @Option(
        "Which image: auto, first, last, embedded (cover art), a time (12.5, 1m2s, 00:01:02.5), a percentage (25%), a frame (#120, -1 for the last), a chapter (chapter:3), or the best of a part (10:00-12:00).",
        Words.poster, as: "position", name: [.customShort("t", allowingJoined: true), .long],
        parsing: .unconditional)
    var at: PosterChoice = .auto

    @OptionGroup var range: RangeOptions
    @OptionGroup var frame: FramingOptions
    @OptionGroup var edits: EditOptions
    @OptionGroup var encoding: QualityOptions
    @OptionGroup var transparency: BackgroundOptions
    @OptionGroup var colors: ColorOptions

    @Option(
        "Write a thumbnail to the cache of the desktop (~/.cache/thumbnails): normal (128 pixels), large (256), x-large (512) or xx-large (1024). A valid one is kept.",
        Words.choice(ThumbnailSize.self), as: "size")
    var xdgThumbnail: ThumbnailSize?

    @Option(
        "Where images go: usual, or xdg, thumbnails of all sizes in the cache of the desktop.",
        Words.choice(PosterFiles.self), as: "layout")
    var layout: PosterFiles = .usual

    @Option(
        "The image to use if an input cannot be read; this is reported, but is no error.",
        as: "file", completion: .file())
    var fallback: String?

    @Flag(help: "Print the candidate frames and their scores.")
    var explain = false

    @OptionGroup var decoding: DecodingOptions
    @OptionGroup var options: JobOptions

    var jobs: Int { decoding.parallel.jobs }
    var takesOutputWord: Bool { thumbnails.isEmpty }
    var readsOnlyInputs: Bool {
        destination.isLinked && colors.color != .keep && fallback == nil && !edits.overlay.isGiven
    }
}

/// Where posters go.
enum PosterFiles: String, CaseIterable, Sendable {
    /// To a file that is named, or beside the input.
    case usual
    /// To the cache of the desktop.
    case xdg
}

/// The outputs of `poster`.
enum PosterOutput: OutputDescription {
    static let formats = OutputFormat.still
    static let standardName =
        "the input's name with .png, next to the input; for a URL in the current folder"
}

extension PosterCommand {
    func job(_ inputs: [Input]) throws -> PosterJob {
        try refuseContradictions()
        var target = try frame.target(isCropping: edits.cropsByGravity)
        if let size = thumbnails.first { target = size.target }
        var edit = try CommandFailure.converting(
            edits.edit(frame.gravity, options.limits.limits.choice.files))
        edit.size = target
        // Frames and chapters are found in the clip.
        if let part = try range.section(), part.times == nil { edit.parts = [part] }
        var asked = edit
        asked.overlays = try CommandFailure.converting(edits.overlay.asked())
        let rendering = try colors.reading(
            decoding.rendering.rendering(try options.reading(inputs)), decoding.rendering)
        return PosterJob(
            output: destination.output, format: destination.format,
            rendition: Rendition(
                .poster(try choice()), reading: rendering.pixels, edit: asked,
                output: .init(
                    destination.format?.pictureType,
                    EncodingOptions(
                        quality: encoding.quality, effort: encoding.effort,
                        background: transparency.background))),
            edit: edit, fallback: try fallback.map(Self.fallback), thumbnails: thumbnails,
            isExplained: explain, overwrite: options.existing.policy, reading: rendering)
    }

    /// The image that is asked for: the best one of a part, if there is one.
    private func choice() throws(CommandFailure) -> PosterChoice {
        guard range.isGiven else { return at }
        guard at == .auto else {
            throw .usage("--at cannot be combined with --start, --end or --duration.")
        }
        return try range.times().map { .within($0) } ?? .auto
    }

    /// The sizes of desktop thumbnails that are asked for.
    fileprivate var thumbnails: [ThumbnailSize] {
        xdgThumbnail.map { [$0] } ?? (layout == .xdg ? ThumbnailSize.allCases : [])
    }

    private static func fallback(_ text: String) throws(CommandFailure) -> Input {
        let inputs = try Input.parse([text])
        guard let input = inputs.first, input.address != .standardInput else {
            throw .usage("--fallback needs the name of an image.")
        }
        return input
    }

    // The standard defines size and format of a thumbnail.
    private func refuseContradictions() throws(CommandFailure) {
        guard !thumbnails.isEmpty else { return }
        let given =
            [
                ("--output", destination.output != nil), ("--format", destination.format != nil),
                ("--width", frame.size.width != nil), ("--height", frame.size.height != nil),
                ("--size", frame.size.size != nil), ("--gravity", frame.gravity != nil),
                ("--quality", encoding.quality != nil), ("--effort", encoding.effort != nil),
                ("--background", transparency.background != nil), ("--fallback", fallback != nil),
                ("--color", colors.color != nil),
                ("--track", options.limits.track != .main), ("--start", range.start != nil),
                ("--end", range.end != nil), ("--duration", range.duration != nil),
            ] + edits.given
        if let (name, _) = given.first(where: \.1) {
            let option = xdgThumbnail == nil ? "--layout xdg" : "--xdg-thumbnail"
            throw .usage("\(option) cannot be combined with \(name).")
        }
    }
}
