internal import ArgumentParser
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// The options of all commands that read media.
struct ReadingOptions: ParsableArguments {
    @OptionGroup(title: "Common options") var limits: LimitsOptions

    @Option(
        "Which track of a file to read: main (the default), motion, the film of a motion photo, or the number of a video track from 1.",
        Words.track, as: "track")
    var track: MediaTrack = .main
}

extension Reading {
    /// How inputs are read according to the options.
    init(
        _ options: ReadingOptions, _ network: NetworkOptions, inputs: [Input],
        _ report: ReportOptions, isProgressive: Bool = false
    ) throws(CommandFailure) {
        self.init(
            options.limits.choice,
            Network(
                try network.settings(inputs: inputs.count), isQuiet: report.quiet,
                isProgressive: isProgressive))
        track = options.track
    }
}
