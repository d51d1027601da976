internal import ArgumentParser
internal import CommandSupport
internal import LazyBatch

/// Where the inputs of a batch come from, and where their outputs go.
struct BatchPlaceOptions: ParsableArguments {
    @Option(
        help: .init(
            "Read inputs from a file, a line each; - for standard input. May be repeated.",
            valueName: "file"),
        completion: .file())
    var filesFrom: [String] = []

    @Flag(
        name: [.customShort("0"), .long],
        help: "In --files-from a zero byte ends a name, as find -print0 writes it.")
    var null = false

    @Option(
        help: .init(
            "Read work from JSON lines: {\"input\": …, \"output\": …, \"job\": …, \"options\": {\"width\": 320}}, all but the input optional; - for standard input. May be repeated.",
            valueName: "file"),
        completion: .file(extensions: ["jsonl", "ndjson", "json"]))
    var manifest: [String] = []

    @Option(
        name: [.customShort("o", allowingJoined: true), .long, .customLong("output-dir")],
        help: .init(
            "The folder for all outputs; it is made. Default: beside each input.",
            valueName: "dir"),
        completion: .directory)
    var output: String?

    @OptionGroup var taking: InputOptions

    @Flag(help: "Make the folders of the inputs again below the output's.")
    var preserveTree = false

    @Option(
        help: .init(
            "Cut this folder off the inputs' paths, for --preserve-tree, {dir} and --shard.",
            valueName: "dir"),
        completion: .directory)
    var base: String?

    @OptionGroup var naming: NamingOptions
}

/// What is made again, and what is remembered.
struct BatchJournalOptions: ParsableArguments {
    @Option(
        help: .init(
            "Note what is made in this file. Default: one for each output folder in ~/.local/state/lazyimg/batch.",
            valueName: "file"),
        completion: .file())
    var journal: String?

    @Option(
        help: .init(
            "Go on with the run of this journal; without a job, with the command that is noted in it.",
            valueName: "file"),
        completion: .file())
    var resume: String?

    @Flag(help: "Remember nothing, and skip nothing.")
    var noJournal = false

    @Flag(help: "Make anew what is made, and replace what is there.")
    var force = false

    @Flag(help: "Take what is there for what would be made, whatever the journal says.")
    var skipExisting = false
}

/// What becomes of failures.
struct BatchFailureOptions: ParsableArguments {
    @Flag(help: "Go on with the other inputs when one fails; the default.")
    var keepGoing = false

    @Flag(help: "End at the first failure.")
    var failFast = false

    @Option(help: .init("End at so many failures.", valueName: "n"), transform: Arguments.positive)
    var maxFailures: Int?

    @Option(
        help: .init(
            "Try an input again so often where that may go better (exit code 75).", valueName: "n"),
        transform: NetworkArguments.retries)
    var retries: Int = 0

    @Option(
        help: .init("Give an input up that takes so long.", valueName: "time"),
        transform: NetworkArguments.timeout)
    var timeout: Duration?
}

/// Which part of the list is this machine's.
struct BatchShardOptions: ParsableArguments {
    @Option(
        help: .init(
            "Take one of several parts of the list: 1/8, or auto for the array index of Slurm, AWS Batch, Kubernetes, Cloud Run or Google Batch.",
            valueName: "i/n"),
        transform: { try ShardChoice($0) })
    var shard: ShardChoice?

    @Option(
        help: .init(
            "How many parts there are, where the system does not tell; or LAZYIMG_SHARDS.",
            valueName: "n"),
        transform: Arguments.positive)
    var shards: Int?

    @Option(
        help: .init(
            "What an input's part is told by: name (its address), content, or order (its place in the list).",
            valueName: "way"),
        completion: .list(ShardKey.allCases.map(\.rawValue)), transform: Arguments.word)
    var shardBy: ShardKey = .name
}

/// All options of a batch, apart from those of its job.
struct BatchFlags: ParsableArguments {
    @OptionGroup(title: "Inputs and outputs") var places: BatchPlaceOptions
    @OptionGroup(title: "The journal") var memory: BatchJournalOptions
    @OptionGroup(title: "Failures") var failing: BatchFailureOptions
    @OptionGroup(title: "Many machines") var sharding: BatchShardOptions
    @OptionGroup var parallel: ParallelOptions

    @Flag(help: "Print what happens as JSON lines: start, progress, done, skip, error, end.")
    var jsonl = false

    @OptionGroup var report: ReportOptions
}
