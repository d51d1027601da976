internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia
internal import LazyPreviews

/// `lazyimg poster`: one image that represents the media.
struct PosterCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster",
        abstract: "Write one image that represents the media.",
        discussion: """
            Without --at the best of several frames near a tenth of the duration is used: not black, \
            not empty, not in a fade; a clearly good keyframe up to a second before will do. The choice \
            is deterministic; --explain prints the candidates. The output is a PNG in the full size of \
            the media unless -o, --format, --width, --height or --size say otherwise; a time after the \
            end is an error. Of a remote video only the bytes that the image needs are loaded if the \
            server supports ranges.

            Examples:
              lazyimg poster clip.mp4 -o poster.png
              lazyimg poster https://example.org/film.mp4 --width 320
              lazyimg poster clip.mp4 --at 00:01:02.5 --width 320
              lazyimg poster clip.mp4 --at 25% -o - | other-program
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
        name: [.customShort("t", allowingJoined: true), .long], parsing: .unconditional,
        help: .init(
            "Which image: auto, first, last, embedded (cover art), a time (12.5, 1m2s, 00:01:02.5), a percentage (25%) or a frame (#120, -1 for the last).",
            valueName: "moment"),
        completion: .list(["auto", "first", "last", "embedded"]),
        transform: { try PosterChoice(parsing: $0) })
    var at: PosterChoice = .auto

    @OptionGroup var frame: FramingOptions
    @OptionGroup var edits: EditOptions
    @OptionGroup var encoding: QualityOptions
    @OptionGroup var transparency: BackgroundOptions

    @Option(
        help: .init(
            "Write a thumbnail to the cache of the desktop (~/.cache/thumbnails): normal (128 pixels), large (256), x-large (512) or xx-large (1024). A valid one is kept.",
            valueName: "size"),
        completion: .list(ThumbnailSize.allCases.map(\.rawValue)), transform: Arguments.word)
    var xdgThumbnail: ThumbnailSize?

    @Option(
        help: .init(
            "The image to use if an input cannot be read; this is reported, but is no error.",
            valueName: "file"),
        completion: .file())
    var fallback: String?

    @Flag(help: "Print the candidate frames and their scores.")
    var explain = false

    @OptionGroup var decoding: DecodingOptions
    @OptionGroup var options: JobOptions<NetworkOptions>

    var jobs: Int { decoding.parallel.jobs }
    var readsOnlyInputs: Bool {
        destination.isLinked && fallback == nil && !edits.overlay.isGiven
    }
}
