internal import ArgumentParser
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// The options of all commands with jobs.
struct JobOptions: ParsableArguments {
    @OptionGroup var existing: ExistingOptions
    @OptionGroup var pruning: PruneOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup(title: "Common options") var limits: ReadingOptions
    @OptionGroup(title: "Common options") var report: ReportOptions

    /// How inputs are read.
    func reading(_ inputs: [Input]) throws(CommandFailure) -> Reading {
        try Reading(limits, network, inputs: inputs, report)
    }
}

/// The options of jobs that decode.
struct DecodingOptions: ParsableArguments {
    @OptionGroup var parallel: ParallelOptions
    @OptionGroup(title: "Common options") var rendering: RenderingOptions
}

/// The quality of encoded images.
struct QualityOptions: ParsableArguments {
    @Option(
        "The quality of lossy formats, 0 to 100.",
        Words.quality, as: "number", name: [.customShort("q", allowingJoined: true), .long])
    var quality: Double?

    @Option("The effort for smaller files: 0 (fast) to 10 (small).", Words.effort, as: "number")
    var effort: Int?
}

/// The color behind transparent pixels.
struct BackgroundOptions: ParsableArguments {
    @Option(
        "The color behind transparent pixels if the format has no alpha, as in CSS: white, #ff8000.",
        Words.color, as: "color")
    var background: PixelColor?
}

/// The threads of an encoder.
struct ThreadOptions: ParsableArguments {
    @Option("The number of threads; 0 is one per core.", Words.threads, as: "n")
    var threads: Int = 0
}

/// The number of inputs at once.
struct ParallelOptions: ParsableArguments {
    @Option(
        "The number of inputs to process at once; 0 is one per core, and one more in a batch.",
        Words.threads, as: "n", name: [.customShort("j", allowingJoined: true), .long])
    var jobs: Int = 0
}

/// What to do with existing outputs.
struct OverwriteOptions: ParsableArguments {
    @Option(
        help: .init("Whether to replace existing files: 'never' or 'always'.", valueName: "when"))
    var overwrite: OverwritePolicy = .never

    @Flag(help: "The same as --overwrite always.")
    var force = false

    /// The resulting policy.
    var policy: OverwritePolicy { force ? .always : overwrite }
}

/// What to do with existing outputs, and how it is known who made them.
struct ExistingOptions: ParsableArguments {
    @OptionGroup var replacing: OverwriteOptions
    @OptionGroup var journal: JournalChoiceOptions

    @Flag(help: "Keep every existing output, whoever made it.")
    var skipExisting = false

    /// Whether existing files are replaced.
    var policy: OverwritePolicy { replacing.policy }
    /// Whether everything is done that an option of caution prevents.
    var force: Bool { replacing.force }

    /// Throws for contradictions.
    func check() throws(CommandFailure) {
        try journal.check()
        try CommandFailure.refuse([
            ("--force", force, "--skip-existing", skipExisting),
            ("--overwrite always", policy == .always, "--skip-existing", skipExisting),
        ])
    }
}

/// The journal.
struct JournalChoiceOptions: ParsableArguments {
    @Option(
        "With -r, the journal file. Default: ~/.local/state/lazyimg/journal.jsonl.",
        as: "file", completion: .file())
    var journal: String?

    @Flag(help: "With -r, use no journal: make everything, and replace nothing.")
    var noJournal = false
}

/// What to do with results of files that are gone.
struct PruneOptions: ParsableArguments {
    @Flag(
        help:
            "With -r, remove what was made of files that are gone, unless somebody has changed it."
    )
    var prune = false
}
