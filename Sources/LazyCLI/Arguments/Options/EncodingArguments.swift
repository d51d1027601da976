internal import ArgumentParser
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// Quality and loop count of the output.
struct EncodingArguments: ParsableArguments {
    @OptionGroup var quality: QualityOptions

    @Flag(
        exclusivity: .exclusive,
        help: "Whether pixels are preserved exactly; by default the content decides.")
    var fidelity: Fidelity?

    @Option(
        "The maximum number of colors in a palette, 2 to 256 (GIF).",
        Words.colors, as: "number")
    var colors: Int?

    @Option(
        "The dithering: auto, none, ordered or diffusion (GIF).", Words.choice(Dither.self),
        as: "way")
    var dither: Dither?

    @Option(
        "One palette for the clip, one per scene, or auto (GIF).", Words.choice(PaletteScope.self),
        as: "scope")
    var palettes: PaletteScope?

    @Option(
        "h264, vp9 or av1, if the format has a choice.", Words.choice(VideoCodecChoice.self),
        as: "codec")
    var codec: VideoCodecChoice?

    @Option(
        "The number of plays, if the format stores it: forever, once, a number, or source.",
        Words.loops, as: "plays")
    var loop: Looping?

    @Flag(help: "Do not warn that the sound of a video is dropped.")
    var noAudio = false

    @OptionGroup var transparency: BackgroundOptions
    @OptionGroup var threading: ThreadOptions

    /// The options for an encoder.
    func options() -> EncodingOptions {
        EncodingOptions(
            quality: quality.quality, effort: quality.effort,
            lossless: fidelity.map { $0 == .lossless },
            colors: colors ?? 256, dither: dither ?? .auto, palettes: palettes ?? .auto,
            background: transparency.background, codec: codec)
    }
}

/// Whether pixels are preserved exactly.
enum Fidelity: String, EnumerableFlag {
    case lossless, lossy
}
