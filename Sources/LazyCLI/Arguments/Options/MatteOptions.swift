internal import ArgumentParser
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// The color of soft edges.
struct MatteOptions: ParsableArguments {
    @Option(
        "The color that partly transparent pixels are blended with in formats without them, such as GIF.",
        Words.color, as: "color")
    var matte: PixelColor?
}
