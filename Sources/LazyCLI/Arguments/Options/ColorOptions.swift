internal import ArgumentParser
internal import LazyMedia
internal import LazyOptions

/// The colors that pictures are written in.
struct ColorOptions: ParsableArguments {
    @Option(
        "The colors of pictures: srgb (the default), or keep for those of the source, which AVIF says, and PNG, JPEG and WebP of one picture; PNG and AVIF have all its bits, too.",
        as: "colors")
    var color: Choice?

    /// The words for colors.
    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case srgb
        case keep
    }

    /// How pixels are read, with the colors of the source where they are kept.
    func reading(
        _ reading: Reading, _ rendering: RenderingOptions
    ) throws(CommandFailure) -> Reading {
        guard color == .keep else { return reading }
        if rendering.tone != nil {
            throw .usage("--tone cannot be combined with --color keep.")
        }
        var reading = reading
        reading.color = .source
        return reading
    }
}
