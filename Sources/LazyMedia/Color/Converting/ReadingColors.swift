/// The colors of one reading: what converts its pictures, and what they mean afterwards.
package struct ReadingColors: Sendable {
    /// What converts pictures, or nil where they stay as they are.
    package let converter: ColorConverter?
    /// What the samples of returned pictures mean.
    package let color: ColorDescription
    /// Why the colors may be wrong.
    package let warning: MediaWarning?

    /// Chooses the conversion from what a file says to what a reader is asked for.
    package init(
        _ source: ColorDescription, _ rules: ColorRules, _ output: ColorOutput,
        _ samples: SampleKind = .rgb
    ) {
        let choice = ColorConversions.choose(source, rules, output, samples)
        converter = choice.converter
        warning = choice.warning
        var kept = source
        // Nobody reads a profile for gray beside colors.
        if samples == .rgb, source.profile?.isGray == true { kept.profile = nil }
        color = output == .source ? kept : .sRGB
    }

    /// Converts a picture; itself where nothing is to be done.
    package func converted(_ bitmap: Bitmap) throws(MediaError) -> Bitmap {
        guard let converter else { return bitmap }
        return try converter.convert(bitmap)
    }
}
