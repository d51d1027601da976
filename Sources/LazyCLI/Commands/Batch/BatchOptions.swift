internal import ArgumentParser
internal import LazyBase
internal import LazyBatch
internal import LazyOptions
internal import LazyRenditions

/// The inputs and outputs of a batch.
struct BatchPlaceOptions: ParsableArguments {
    @Option(
        help: .init(
            "Read inputs from a file, one per line; - for standard input. May be repeated.",
            valueName: "file"),
        completion: .file())
    var filesFrom: [String] = []

    @Flag(
        name: [.customShort("0"), .long],
        help: "Entries of --files-from end with a zero byte, as find -print0 writes them.")
    var null = false

    @Option(
        help: .init(
            "Read items from JSON lines: {\"input\": …, \"output\": …, \"job\": …, \"options\": {\"width\": 320}}, all but the input optional; - for standard input. May be repeated.",
            valueName: "file"),
        completion: .file(extensions: ["jsonl", "ndjson", "json"]))
    var manifest: [String] = []

    @Option(
        "The folder for all outputs; it is created. Default: next to each input.",
        as: "dir",
        name: [.customShort("o", allowingJoined: true), .long, .customLong("output-dir")],
        completion: .directory)
    var output: String?

    @OptionGroup var taking: InputOptions

    @Flag(help: "Recreate the folders of the inputs in the output folder.")
    var preserveTree = false

    @Option(
        "Remove this folder from the inputs' paths, for --preserve-tree, {dir} and --shard.",
        as: "dir", completion: .directory)
    var base: String?

    @OptionGroup var naming: NamingOptions

    @Flag(
        help:
            "With -r, keep running, and keep the results current as files come, change, move and go."
    )
    var follow = false

    @Option(
        "With --follow, search the folders again after this time, since network drives do not report changes. Default: 5m on those, otherwise 1h.",
        NetworkArguments.timeout, as: "time")
    var rescan: Duration?
}

/// The journal, and which outputs are made again.
struct JournalOptions: ParsableArguments {
    @Option(
        "The journal file. Default: ~/.local/state/lazyimg/journal.jsonl.",
        as: "file", completion: .file())
    var journal: String?

    @Flag(help: "Use no journal, and skip nothing.")
    var noJournal = false

    @Flag(help: "Make all outputs again, replacing existing files.")
    var force = false

    @Flag(help: "Keep every existing output, regardless of the journal.")
    var skipExisting = false
}

/// The same with a journal to continue.
struct BatchJournalOptions: ParsableArguments {
    @OptionGroup var kept: JournalOptions

    @Option(
        "Continue the run of this journal; without a job, with the command recorded in it.",
        as: "file", completion: .file())
    var resume: String?

    @OptionGroup var pruning: PruneOptions
}

/// The handling of failures.
struct BatchFailureOptions: ParsableArguments {
    @Flag(help: "Continue with the other inputs if one fails; the default.")
    var keepGoing = false

    @Flag(help: "Stop at the first failure.")
    var failFast = false

    @Option("Stop at this number of failures.", Words.count, as: "n")
    var maxFailures: Int?

    @Option(
        "The number of retries after temporary errors (exit code 75).",
        Words.whole(0...100), as: "n")
    var retries: Int = 0

    @Option("Give up an input after this time.", NetworkArguments.timeout, as: "time")
    var timeout: Duration?
}

/// Which part of the list this machine processes.
struct BatchShardOptions: ParsableArguments {
    @Option(
        "Process one of several parts of the list: 1/8, or auto for the array index of Slurm, AWS Batch, Kubernetes, Cloud Run or Google Batch.",
        as: "i/n", transform: { try ShardChoice($0) })
    var shard: ShardChoice?

    @Option(
        "The number of parts, if the scheduler does not provide it; or LAZYIMG_SHARDS.",
        Words.count, as: "n")
    var shards: Int?

    @Option(
        "What determines the part of an input: name (its path or URL), content, or order (its position).",
        Words.choice(ShardKey.self), as: "way")
    var shardBy: ShardKey = .name
}

/// All options of a batch, apart from those of its job.
struct BatchFlags: ParsableArguments {
    @OptionGroup(title: "Inputs and outputs") var places: BatchPlaceOptions
    @OptionGroup(title: "The journal") var memory: BatchJournalOptions
    @OptionGroup(title: "Failures") var failing: BatchFailureOptions
    @OptionGroup(title: "Many machines") var sharding: BatchShardOptions
    @OptionGroup var parallel: ParallelOptions

    @Flag(help: "Print events as JSON lines: start, progress, done, skip, error, end.")
    var jsonl = false

    @OptionGroup var report: ReportOptions
}

extension JournalOptions {
    /// Throws for contradictions.
    func check() throws(CommandFailure) {
        try CommandFailure.refuse([
            ("--no-journal", noJournal, "--journal", journal != nil),
            ("--force", force, "--skip-existing", skipExisting),
        ])
    }

    /// Opens the journal; nil for none.
    func open(isNeeded: Bool, _ report: ReportStyle) throws(CommandFailure) -> Journal? {
        if noJournal { return nil }
        return try JournalPlace.open(named: journal, isNeeded: isNeeded, report)
    }
}

extension JournalChoiceOptions {
    /// Throws for contradictions.
    func check() throws(CommandFailure) {
        try CommandFailure.refuse([
            ("--no-journal", noJournal, "--journal", journal != nil)
        ])
    }

    /// Opens the journal; nil for none.
    func open(isNeeded: Bool, _ report: ReportStyle) throws(CommandFailure) -> Journal? {
        if noJournal { return nil }
        return try JournalPlace.open(named: journal, isNeeded: isNeeded, report)
    }
}

extension BatchJournalOptions {
    /// Throws for contradictions.
    func check() throws(CommandFailure) {
        try kept.check()
        try CommandFailure.refuse([
            ("--journal", kept.journal != nil, "--resume", resume != nil),
            ("--no-journal", kept.noJournal, "--resume", resume != nil),
            ("--no-journal", kept.noJournal, "--prune", pruning.prune),
        ])
    }
}

extension BatchFailureOptions {
    /// Throws for contradictions.
    func check() throws(CommandFailure) {
        try CommandFailure.refuse([
            ("--fail-fast", failFast, "--keep-going", keepGoing),
            ("--fail-fast", failFast, "--max-failures", maxFailures != nil),
        ])
    }

    /// The number of failures that ends the run.
    var failureLimit: Int? { failFast ? 1 : maxFailures }

    /// The rules of a run.
    func rules(_ journal: JournalOptions, _ parallel: ParallelOptions) -> BatchRules {
        BatchRules(
            jobs: DescriptorBudget.jobs(
                BatchMemory.jobs(parallel.jobs, limit: SystemMemory.limit)),
            isForced: journal.force, acceptsExisting: journal.skipExisting, retries: retries,
            timeout: timeout)
    }
}

extension BatchShardOptions {
    /// The shard of this machine.
    func chosen() throws(CommandFailure) -> Shard {
        switch shard {
        case nil: return .all
        case .one(let shard)?: return shard
        case .auto?:
            do throws(ShardError) {
                return try ShardEnvironment.shard(ShardEnvironment.current, count: shards)
            } catch {
                throw .usage(error.message, hint: error.hint)
            }
        }
    }
}

extension CommandFailure {
    /// Throws for the first pair of options that were both given.
    static func refuse(_ pairs: [(String, Bool, String, Bool)]) throws(CommandFailure) {
        guard let (one, _, other, _) = pairs.first(where: { $0.1 && $0.3 }) else { return }
        throw .usage("\(one) cannot be combined with \(other).")
    }
}

/// The value of `--shard`.
enum ShardChoice: Equatable {
    case auto
    case one(Shard)

    init(_ text: String) throws(WordError) {
        if text == "auto" {
            self = .auto
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
            let shard = Shard(number, of: count)
        else {
            throw WordError("a shard is written as 1/8, from 1/8 to 8/8, or auto", given: text)
        }
        self = .one(shard)
    }
}
