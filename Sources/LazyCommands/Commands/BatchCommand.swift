internal import ArgumentParser
internal import CommandSupport
import Glibc
internal import LazyBatch
internal import LazyBytes
internal import LazyFiles
internal import LazyMedia
internal import MediaJobs

/// `lazyimg batch`: one job for many inputs.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Do one job for many inputs, on all cores or many machines.",
        usage: "lazyimg batch [<options>] <job> [<job's options>] [<input> ...]",
        discussion: """
            A JOB is one of the commands \(BatchJobs.names.joined(separator: ", ")), with its own \
            options; options of the batch can stand anywhere. Patterns in quotation marks are \
            expanded here: *, ?, [a-z], and ** for any number of folders; braces by the shell only.

            What is made is noted in a journal. The same command makes only what is missing: what \
            was made of the same content with the same options, and is still there, is left, also \
            after a kill. An input that fails does not stop the others.

            Exit codes: 0 all is there; 1 some failed; 75 some failed, and all of them may go \
            better later: run it again; where nothing was made and all failed alike, their code.

            Examples:
              lazyimg batch poster --width 320 -o posters/ 'clips/**/*.'{mp4,gif}
              find clips -name '*.mp4' -print0 | lazyimg batch poster --files-from - -0 -o posters/
              lazyimg batch --manifest work.jsonl --jsonl
              lazyimg batch poster --files-from list.txt -o out/ --preserve-tree --shard auto
              lazyimg batch --resume work.journal
            """)

    @Argument(
        help: .init("The command to do for each input.", valueName: "job"),
        completion: .list(BatchJobs.names))
    var job: String?

    @Argument(
        parsing: .postTerminator, help: .hidden)
    var words: [String] = []

    @OptionGroup(title: "Inputs and outputs") var places: BatchPlaceOptions
    @OptionGroup(title: "The journal") var memory: BatchJournalOptions
    @OptionGroup(title: "Failures") var failing: BatchFailureOptions
    @OptionGroup(title: "Many machines") var sharding: BatchShardOptions

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: .init(
            "Work on so many inputs at once; 0 is one for each core, fewer with little memory.",
            valueName: "n"),
        transform: Arguments.jobs)
    var jobs: Int = 0

    @Flag(help: "Print what happens as JSON lines: start, progress, done, skip, error, end.")
    var jsonl = false

    @OptionGroup var report: ReportOptions

    func run() async throws {
        if job == nil, places.manifest.isEmpty {
            guard let path = memory.resume else {
                throw CommandFailure.usage(
                    "No job is named.",
                    hint: "The jobs are \(BatchJobs.names.joined(separator: ", ")).")
            }
            return try await BatchResumption(path).command().run()
        }
        try check()
        let common = job.map { JobWords(name: $0, words: words) }
        let sources = try sources(common)
        let list = try BatchList(sources)
        for (folder, search) in list.searches { search.tell(folder, report.style) }
        let plan = try BatchPlanner(
            list, try shard(), by: sharding.shardBy, common: common, base: places.base)
        // What failed has been told.
        let status = try await run(plan)
        if status != .success { throw ExitCode(status.number) }
    }

    private func run(_ plan: BatchPlanner) async throws(CommandFailure) -> ExitStatus {
        let journal = try openJournal()
        let rules = BatchRules(
            jobs: BatchMemory.jobs(jobs, limit: SystemMemory.limit), isForced: memory.force,
            acceptsExisting: memory.skipExisting, retries: failing.retries,
            timeout: failing.timeout)
        let events = jsonl ? BatchEvents() : nil
        let reporter = BatchReporter(
            plan.entries, mostFailures: failing.failFast ? 1 : failing.maxFailures, events,
            report.style)
        let begin = ContinuousClock.now
        defer { journal?.flush() }
        let seconds = { (ContinuousClock.now - begin) / .seconds(1) }
        do throws(CommandFailure) {
            let tally = try await Interruption.cancelling { () throws(CommandFailure) in
                try await reporter.run(journal, rules, faults: plan.faults)
            }
            try tell(tally, seconds: seconds(), events)
            return tally.status
        } catch {
            let left = plan.entries.count + plan.faults.count - reporter.tally.count
            try? tell(
                reporter.tally, left: left, goesOn: journal != nil, seconds: seconds(), events)
            throw error
        }
    }

    // What a run that ended early has done: a reader that is gone hears nothing.
    private func tell(
        _ tally: BatchTally, left: Int, goesOn: Bool, seconds: Double, _ events: BatchEvents?
    ) throws(CommandFailure) {
        let members = tally.json + [("left", .integer(left))]
        if let events {
            if events.failure == nil { events.emit("end", nil, members) }
        } else if report.json {
            try Console.print(JSONValue.object(members).text)
        }
        guard !report.quiet, !report.json else { return }
        let next = goesOn ? "The same command goes on." : "Without a journal it begins anew."
        Console.say("lazyimg: " + tally.sentence(seconds: seconds, left: left) + " " + next)
    }

    private func tell(
        _ tally: BatchTally, seconds: Double, _ events: BatchEvents?
    ) throws(CommandFailure) {
        if let events {
            events.emit("end", nil, tally.json)
            // The work is complete even if the report cannot be written.
            if let failure = events.failure, failure.status != .success { throw failure }
        } else if report.json {
            try Console.print(JSONValue.object(tally.json).text)
        }
        if !report.quiet, !report.json {
            Console.say("lazyimg: " + tally.sentence(seconds: seconds))
        }
    }

    private func check() throws(CommandFailure) {
        let pairs: [(String, Bool, String, Bool)] = [
            ("--fail-fast", failing.failFast, "--keep-going", failing.keepGoing),
            ("--fail-fast", failing.failFast, "--max-failures", failing.maxFailures != nil),
            ("--journal", memory.journal != nil, "--resume", memory.resume != nil),
            ("--no-journal", memory.noJournal, "--journal", memory.journal != nil),
            ("--no-journal", memory.noJournal, "--resume", memory.resume != nil),
            ("--force", memory.force, "--skip-existing", memory.skipExisting),
            ("--json", report.json, "--jsonl", jsonl),
            ("--name", places.name != nil, "--preserve-tree", places.preserveTree),
        ]
        if let (one, _, other, _) = pairs.first(where: { $0.1 && $0.3 }) {
            throw .usage("\(one) cannot be combined with \(other).")
        }
        if places.output == "-" {
            throw .usage("A batch does not write to standard output.", hint: "Name a folder.")
        }
    }

    private func sources(_ common: JobWords?) throws(CommandFailure) -> BatchList.Sources {
        var sources = BatchList.Sources(
            lists: places.filesFrom, manifests: places.manifest, isNullSeparated: places.null,
            isRecursive: places.taking.recursive,
            naming: OutputNaming(
                folder: places.output, keepsTree: places.preserveTree, base: places.base,
                pattern: places.name))
        guard let common else { return sources }
        var templates = JobTemplates()
        let made = try templates.make(common, hasOutput: true)
        sources.arguments = made.inputs
        // Inputs are no options: jobs of one sort have the same words.
        sources.words = JobWords(name: common.name, words: made.options(of: common.words))
        if sources.arguments.isEmpty, sources.lists.isEmpty, sources.manifests.isEmpty {
            throw .usage(
                "There is no input.", hint: "Name files, patterns, --files-from or --manifest.")
        }
        return sources
    }

    private func shard() throws(CommandFailure) -> Shard {
        switch sharding.shard {
        case nil: return .all
        case .one(let shard)?: return shard
        case .auto?:
            do throws(ShardError) {
                return try ShardEnvironment.shard(
                    ShardEnvironment.current, count: sharding.shards)
            } catch {
                throw .usage(error.message, hint: error.hint)
            }
        }
    }

    private func openJournal() throws(CommandFailure) -> Journal? {
        if memory.noJournal { return nil }
        if let path = memory.resume, FileKind(path) == .nothing {
            throw CommandFailure(.noInput, "missing", "There is no journal \(path).")
        }
        let named = memory.resume ?? memory.journal
        let path = if let named { named } else { try JournalPlace.standard(output: places.output) }
        do throws(FileError) {
            let journal = try Journal(path)
            if memory.resume == nil {
                try journal.append(BatchResumption.line(ProcessArguments.words))
            }
            return journal
        } catch {
            throw CommandFailure(error)
        }
    }
}
