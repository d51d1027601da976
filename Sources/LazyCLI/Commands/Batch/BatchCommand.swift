internal import ArgumentParser
internal import LazyBase
internal import LazyBatch
internal import LazyPipeline

/// `lazyimg batch`: one job for many inputs.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Run one job for many inputs, on all cores or several machines.",
        usage: "lazyimg batch [<options>] <job> [<job's options>] [<input> ...]",
        discussion: """
            A JOB is one of the commands \(BatchJobs.names.joined(separator: ", ")), with its own \
            options; options of the batch may be mixed with them. Patterns in quotation marks are \
            expanded here: *, ?, [a-z], and ** for any number of folders; the shell expands braces.

            Each output is recorded in a journal. The same command makes only what is missing, also \
            after a kill: an existing output is kept if it was made from the same content with the \
            same options. An input that fails does not stop the others.

            Exit codes: 0 all outputs exist; 1 some inputs failed; 75 some inputs failed, all with \
            temporary errors: run the command again; if nothing was made and all inputs failed with \
            the same code, that code.

            Examples:
              lazyimg batch poster --width 320 -o posters/ 'clips/**/*.'{mp4,gif}
              find clips -name '*.mp4' -print0 | lazyimg batch poster --files-from - -0 -o posters/
              lazyimg batch --manifest work.jsonl --jsonl
              lazyimg batch poster --files-from list.txt -o out/ --preserve-tree --shard auto
              lazyimg batch --resume work.journal
            """)

    @Argument(
        help: .init("The command to run for each input.", valueName: "job"),
        completion: .list(BatchJobs.names))
    var job: String?

    @Argument(
        parsing: .postTerminator, help: .hidden)
    var words: [String] = []

    @OptionGroup var flags: BatchFlags

    func run() async throws {
        DecoderLibraries.choose()
        if job == nil, flags.places.manifest.isEmpty {
            guard let path = flags.memory.resume else {
                throw CommandFailure.usage(
                    "No job is named.",
                    hint: "The jobs are \(BatchJobs.names.joined(separator: ", ")).")
            }
            return try await resumed(path).run()
        }
        try check()
        let common = job.map { JobWords(name: $0, words: words) }
        var sources = try sources(common)
        let (shard, journal) = (try shard(), try openJournal())
        if flags.places.taking.recursive {
            sources.filter = try flags.places.taking.filter(journal)
        }
        if flags.places.follow, let common, let journal {
            return try await follow(common, sources, journal)
        }
        let list = try BatchList(sources)
        for (folder, search) in list.searches { search.tell(folder, flags.report.style) }
        let plan = try BatchPlanner(
            list, shard, by: flags.sharding.shardBy, common: common, base: flags.places.base,
            journal, isForced: flags.memory.kept.force)
        FolderSearch.tell(left: plan.left, flags.report.style)
        // The failures were reported.
        let status = try await run(plan, list, journal)
        if status != .success { throw ExitCode(status.number) }
    }

    /// The command recorded in a journal.
    private func resumed(_ path: String) throws(CommandFailure) -> BatchCommand {
        let (words, journal) = try BatchResumption(path).command()
        var command: BatchCommand
        do {
            let arranged = Self.arranged(["batch"] + words)
            command = try BatchCommand.parse(Array(arranged.dropFirst()))
        } catch {
            throw .usage(UsageText.normalized(Self.message(for: error)))
        }
        guard command.job != nil || !command.flags.places.manifest.isEmpty else {
            throw .usage("The journal \(path) names no job.")
        }
        command.flags.memory.kept.journal = nil
        command.flags.memory.resume = journal
        return command
    }

    /// Keeps the results of folders current until a signal ends it, which is no failure.
    private func follow(
        _ common: JobWords, _ sources: BatchList.Sources, _ journal: Journal
    ) async throws(CommandFailure) {
        for root in sources.arguments where FileKind(root) != .folder {
            throw .usage("--follow is for folders, and \(root) is none.")
        }
        var none = sources
        none.arguments = []
        let planner = try BatchPlanner(
            try BatchList(none), .all, by: .name, common: common, base: flags.places.base, journal)
        let output = flags.places.output ?? planner.resultFolder
        let style = flags.report.style
        let follow = BatchFollow(
            folders: FollowedFolders(
                sources.arguments, output: flags.places.output, sources.filter ?? FolderFilter(),
                isQuiet: style.quiet),
            sources: sources, words: sources.words ?? common,
            output: output, journal: journal,
            rules: flags.failing.rules(flags.memory.kept, flags.parallel),
            interval: flags.places.rescan, folder: flags.places.output,
            report: FollowReport(events: flags.jsonl ? BatchEvents() : nil, style: style))
        defer { journal.flush() }
        try await Interruption.cancelling { () throws(CommandFailure) in
            try await follow.run(planner)
        }
    }

    private func run(
        _ plan: BatchPlanner, _ list: BatchList, _ journal: Journal?
    ) async throws(CommandFailure) -> ExitStatus {
        let outputs = flags.places.output ?? plan.resultFolder
        var rules = flags.failing.rules(flags.memory.kept, flags.parallel)
        rules.gone = GoneInputs(list.roots, output: outputs)
        let execution = BatchExecution(
            entries: plan.entries, faults: plan.faults, rules: rules,
            failureLimit: flags.failing.failureLimit, writesEvents: flags.jsonl,
            style: flags.report.style, folder: flags.places.output)
        guard flags.memory.pruning.prune, let journal else {
            return try await execution.run(journal)
        }
        let pruning = Pruning(list.roots, outputs: outputs, journal)
        return try await execution.run(journal) { () throws(CommandFailure) in
            let pruned = try pruning.run(journal)
            if !flags.jsonl, !flags.report.json { pruned.tell(flags.report.style) }
            return (pruned.members, pruned.kept.isOfNamed)
        }
    }
}

extension BatchCommand {
    func check() throws(CommandFailure) {
        try flags.failing.check()
        try flags.memory.check()
        try CommandFailure.refuse([
            ("--json", flags.report.json, "--jsonl", flags.jsonl),
            (
                "--name", flags.places.naming.name != nil, "--preserve-tree",
                flags.places.preserveTree
            ),
        ])
        try checkFollowing()
        if flags.memory.pruning.prune, !flags.places.taking.recursive {
            throw .usage("--prune is for the files of folders.", hint: "Add --recursive (-r).")
        }
        if flags.places.output == "-" {
            throw .usage("A batch does not write to standard output.", hint: "Name a folder.")
        }
    }

    private func checkFollowing() throws(CommandFailure) {
        let places = flags.places
        if places.rescan != nil, !places.follow {
            throw .usage("--rescan is the time between searches with --follow.")
        }
        guard places.follow else { return }
        if !places.taking.recursive {
            throw .usage("--follow is for the files of folders.", hint: "Add --recursive (-r).")
        }
        let name = "--follow"
        try CommandFailure.refuse([
            (name, true, "--files-from", !places.filesFrom.isEmpty),
            (name, true, "--manifest", !places.manifest.isEmpty),
            (name, true, "--no-journal", flags.memory.kept.noJournal),
            (name, true, "--force", flags.memory.kept.force),
            (name, true, "--newer", places.taking.newer != nil),
            (name, true, "--shard", flags.sharding.shard != nil),
            (name, true, "--fail-fast", flags.failing.failFast),
            (name, true, "--max-failures", flags.failing.maxFailures != nil),
            (name, true, "--json", flags.report.json),
        ])
    }

    func sources(_ common: JobWords?) throws(CommandFailure) -> BatchList.Sources {
        var sources = BatchList.Sources(
            lists: flags.places.filesFrom, manifests: flags.places.manifest,
            isNullSeparated: flags.places.null,
            prunes: flags.memory.pruning.prune,
            naming: OutputNaming(
                folder: flags.places.output, keepsTree: flags.places.preserveTree,
                base: flags.places.base,
                pattern: flags.places.naming.name))
        guard let common else { return sources }
        var templates = JobTemplates()
        let made = try templates.make(common, hasOutput: true)
        sources.arguments = made.inputs
        // Without the inputs, so that items with the same options share a job.
        sources.words = JobWords(name: common.name, words: made.options(of: common.words))
        if sources.arguments.isEmpty, sources.lists.isEmpty, sources.manifests.isEmpty {
            throw .usage(
                "There are no inputs.", hint: "Name files, patterns, --files-from or --manifest.")
        }
        return sources
    }

    func shard() throws(CommandFailure) -> Shard { try flags.sharding.chosen() }

    func openJournal() throws(CommandFailure) -> Journal? {
        guard let path = flags.memory.resume else {
            // What follows folders or removes something must know what is ours.
            let isNeeded = flags.places.follow || flags.memory.pruning.prune
            let journal = try flags.memory.kept.open(isNeeded: isNeeded, flags.report.style)
            do throws(FileError) {
                try journal?.append(BatchResumption.line(ProcessArguments.words))
            } catch {
                throw CommandFailure(error)
            }
            return journal
        }
        if FileKind(path) == .nothing {
            throw CommandFailure(.noInput, "missing", "There is no journal \(path).")
        }
        return try JournalPlace.open(path)
    }
}

extension BatchCommand {
    /// The options of the batch.
    static let known = CommandFlags(of: BatchFlags.self)

    /// The options of the batch first, then the job, `--`, and the arguments of the job.
    ///
    /// Options of both may be mixed, which the parser's own means do not allow. `.captureForPassthrough` leaves
    /// the batch's options after the job to the job. `.allUnrecognized` looks for the batch's letters in
    /// arguments that it does not know: `-W320` has `-0`, and `-fjpg` has `-j`. A type with the options of both
    /// has names twice, of which some mean different things (`--output`, `--retries`), and gives values, where
    /// words are needed: the lines of a manifest add theirs (`BatchList`). Arguments of other commands are
    /// returned unchanged.
    static func arranged(_ arguments: [String]) -> [String] {
        guard arguments.first == "batch" else { return arguments }
        var (own, theirs, job) = ([String](), [String](), String?.none)
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            if word == "--" {
                theirs += ["--"] + rest
                break
            }
            if let pair = separated(word) {
                own += pair
            } else if known.plain.contains(word) || isJoined(word) {
                own.append(word)
            } else if known.valued.contains(word) {
                own.append(word)
                if let value = rest.popFirst() { own.append(value) }
            } else if job == nil, !word.hasPrefix("-") {
                job = word
            } else {
                theirs.append(word)
            }
        }
        return ["batch"] + own + (job.map { [$0] } ?? []) + (theirs.isEmpty ? [] : ["--"] + theirs)
    }

    // `--jobs=4`
    private static func isJoined(_ word: String) -> Bool {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return false }
        return known.valued.contains(String(word[..<equals]))
    }

    // `-j4` is `-j 4` for batch and for the job alike.
    private static func separated(_ word: String) -> [String]? {
        let head = String(word.prefix(2))
        guard word.count > 2, head != "--", known.valued.contains(head) else { return nil }
        return [head, String(word.dropFirst(2))]
    }
}
