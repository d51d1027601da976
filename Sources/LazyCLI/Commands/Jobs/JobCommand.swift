internal import ArgumentParser
internal import LazyBase
internal import LazyBatch

/// A command that runs one `MediaJob` for each of its inputs.
protocol JobCommand: AsyncParsableCommand {
    associatedtype Job: MediaJob
    associatedtype Destination: DestinationOptions
    /// The inputs.
    var inputs: InputArguments { get set }
    /// The outputs.
    var destination: Destination { get set }
    /// The options of all jobs.
    var options: JobOptions { get set }
    /// The number of inputs at once; 0 is one per core.
    var jobs: Int { get }
    /// Whether all inputs become one output; nil if a command cannot do that.
    ///
    /// They do without being asked for, if one file is named.
    var joinsInputs: Bool? { get }
    /// Whether it decodes only its inputs, and encodes nothing by a library that is loaded on demand.
    var readsOnlyInputs: Bool { get }
    /// Whether its options let the last of several names be the output; see `OutputWord`.
    var takesOutputWord: Bool { get }
    /// The options as a job; throws for contradictions.
    ///
    /// `inputs` is for options that allow only one input; the job itself works for any.
    func job(_ inputs: [Input]) throws -> Job
}

extension JobCommand {
    var jobs: Int { 0 }
    var joinsInputs: Bool? { nil }
    var readsOnlyInputs: Bool { false }
    var takesOutputWord: Bool { true }

    mutating func run() async throws {
        let journal = try openJournal()
        let inputs = try takeInputs(journal)
        // Nobody has looked at what a search found.
        options.limits.limits.opensMany = self.inputs.options.recursive
        try await run(inputs, journal)
    }

    private func run(_ found: [Input], _ journal: Journal?) async throws {
        DecoderLibraries.choose(
            for: found, options.limits.limits.choice, readsOnlyInputs: readsOnlyInputs)
        let job = try job(found)
        var runner = JobRunner(
            job, jobs: jobs, naming: destination.naming.name, journal: journal,
            options.report.style)
        runner.readsFolders = inputs.options.recursive
        runner.acceptsExisting = options.existing.skipExisting
        runner.gone = GoneInputs(inputs.input, output: job.resultFolder)
        let pruning = pruning(job, journal)
        do throws(CommandFailure) {
            try await runner.run(found)
        } catch {
            // What failed has no part in what is gone.
            if error.code == CommandFailure.someFailed.code { try prune(journal, pruning) }
            throw error
        }
        try prune(journal, pruning)
    }

    /// The journal of a search; nil where inputs are named one by one.
    ///
    /// Without a place for one the command works all the same, but does not know its results again.
    private func openJournal() throws(CommandFailure) -> Journal? {
        try options.existing.check()
        let (prunes, choice) = (options.pruning.prune, options.existing.journal)
        guard inputs.options.recursive else {
            for (name, isGiven) in [
                ("--prune", prunes), ("--journal", choice.journal != nil),
                ("--no-journal", choice.noJournal),
            ] where isGiven {
                throw .usage(
                    "\(name) is for the files of folders.", hint: "Add --recursive (-r).")
            }
            return nil
        }
        try CommandFailure.refuse([("--no-journal", choice.noJournal, "--prune", prunes)])
        return try choice.open(isNeeded: prunes, options.report.style)
    }

    private func pruning(_ job: Job, _ journal: Journal?) -> Pruning? {
        guard options.pruning.prune, let journal else { return nil }
        return Pruning(inputs.input, outputs: job.resultFolder, journal)
    }

    private func prune(_ journal: Journal?, _ pruning: Pruning?) throws(CommandFailure) {
        guard let journal, let pruning else { return }
        let pruned = try pruning.run(journal)
        pruned.tell(options.report.style)
        if pruned.kept.isOfNamed { throw .someFailed }
    }

    /// Parses the inputs.
    ///
    /// Without `-o`, the last of several names may be the output (`OutputWord`).
    private mutating func takeInputs(_ journal: Journal?) throws(CommandFailure) -> [Input] {
        let words = OutputWord(
            inputs.input, formats: Destination.formats, format: destination.format,
            joins: joinsInputs)
        if destination.output == nil, destination.naming.name == nil, !inputs.options.recursive,
            takesOutputWord, let output = words.output
        {
            (inputs.input, destination.output) = (words.inputs, output)
            if options.existing.policy == .never, !options.existing.skipExisting {
                try OutputWord.refuseExisting(output)
            }
        }
        let found = try inputs.inputs(
            output: destination.output, options.report, journal: journal,
            prunes: options.pruning.prune)
        if destination.naming.name != nil {
            if destination.output == "-" {
                throw .usage("--name names files, and -o - writes to standard output.")
            }
            // A pattern without a folder means the current folder.
            destination.output = destination.output ?? "./"
        }
        return joined(found)
    }

    /// The inputs as one if they are to be joined.
    private func joined(_ found: [Input]) -> [Input] {
        var found = found
        for place in found.indices { found[place].leftOut = destination.output }
        guard let joinsInputs, found.count > 1,
            joinsInputs || isOneFile, let all = Input(joining: found)
        else { return found }
        return [all]
    }

    /// Whether `-o` names a file or standard output.
    private var isOneFile: Bool {
        guard destination.naming.name == nil, let output = destination.output else { return false }
        return output == "-"
            || OutputFormat(path: output) != nil && !output.endsInSlash
                && FileKind(output) != .folder
    }
}
