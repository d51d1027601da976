internal import ArgumentParser
internal import LazyBatch

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
        try await IsolationChoice.$readsManyFiles.withValue(true) { try await runJobs() }
    }

    private func runJobs() async throws {
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
        let sources = try sources(common)
        let list = try BatchList(sources)
        for (folder, search) in list.searches { search.tell(folder, flags.report.style) }
        let plan = try BatchPlanner(
            list, try shard(), by: flags.sharding.shardBy, common: common, base: flags.places.base)
        // The failures were reported.
        let status = try await run(plan)
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

    private func run(_ plan: BatchPlanner) async throws(CommandFailure) -> ExitStatus {
        let execution = BatchExecution(
            entries: plan.entries, faults: plan.faults,
            rules: flags.failing.rules(flags.memory.kept, flags.parallel),
            mostFailures: flags.failing.mostFailures, writesEvents: flags.jsonl,
            style: flags.report.style)
        return try await execution.run(openJournal())
    }
}
