internal import ArgumentParser
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// How decoded pixels become pictures.
struct RenderingOptions: ParsableArguments {
    @Option(
        "How HDR becomes SDR: browser (as Chromium does; the default), bt2390 (brighter middle tones) or clip.",
        Words.tone, as: "operator")
    var tone: ToneMapping?

    @Option(
        "Whether interlaced video is deinterlaced: auto (where the file says so; the default) or never.",
        as: "when")
    var deinterlace: Deinterlacing?

    /// When fields are deinterlaced.
    enum Deinterlacing: String, CaseIterable, ExpressibleByArgument {
        case auto
        case never
    }

    /// Reading with these options.
    func rendering(_ reading: Reading) -> Reading {
        var reading = reading
        reading.color = .sRGB(tone ?? .browser)
        reading.deinterlaces = deinterlace != .never
        return reading
    }

    /// Throws if one of the options was given.
    func refuse(_ reason: String) throws(CommandFailure) {
        if tone != nil { throw .usage("--tone \(reason).") }
        if deinterlace != nil { throw .usage("--deinterlace \(reason).") }
    }
}
