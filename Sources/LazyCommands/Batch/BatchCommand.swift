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
            let arranged = BatchArguments.arranged(["batch"] + words)
            command = try BatchCommand.parse(Array(arranged.dropFirst()))
        } catch {
            throw .usage(UsageText.normalized(Self.message(for: error)))
        }
        guard command.job != nil || !command.flags.places.manifest.isEmpty else {
            throw .usage("The journal \(path) names no job.")
        }
        command.flags.memory.journal = nil
        command.flags.memory.resume = journal
        return command
    }

    private func run(_ plan: BatchPlanner) async throws(CommandFailure) -> ExitStatus {
        let journal = try openJournal()
        let rules = BatchRules(
            jobs: BatchMemory.jobs(flags.parallel.jobs, limit: SystemMemory.limit),
            isForced: flags.memory.force,
            acceptsExisting: flags.memory.skipExisting, retries: flags.failing.retries,
            timeout: flags.failing.timeout)
        let events = flags.jsonl ? BatchEvents() : nil
        let reporter = BatchReporter(
            plan.entries, mostFailures: flags.failing.failFast ? 1 : flags.failing.maxFailures,
            events,
            flags.report.style)
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

    // The results of a run that ended early; a closed pipe gets none.
    private func tell(
        _ tally: BatchTally, left: Int, goesOn: Bool, seconds: Double, _ events: BatchEvents?
    ) throws(CommandFailure) {
        let members = tally.json + [("left", .integer(left))]
        if let events {
            if events.failure == nil { events.emit("end", nil, members) }
        } else if flags.report.json {
            try Console.print(JSONValue.object(members).text)
        }
        guard !flags.report.quiet, !flags.report.json else { return }
        let next =
            goesOn ? "The same command continues." : "Without a journal the command starts again."
        Console.say("lazyimg: " + tally.sentence(seconds: seconds, left: left) + " " + next)
    }

    private func tell(
        _ tally: BatchTally, seconds: Double, _ events: BatchEvents?
    ) throws(CommandFailure) {
        if let events {
            events.emit("end", nil, tally.json)
            // The work is complete even if the report cannot be written.
            if let failure = events.failure, failure.status != .success { throw failure }
        } else if flags.report.json {
            try Console.print(JSONValue.object(tally.json).text)
        }
        if !flags.report.quiet, !flags.report.json {
            Console.say("lazyimg: " + tally.sentence(seconds: seconds))
        }
    }
}
