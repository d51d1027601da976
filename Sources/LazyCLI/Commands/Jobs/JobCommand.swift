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
    var options: JobOptions { get }
    /// The number of inputs at once; 0 is one per core.
    var jobs: Int { get }
    /// Whether all inputs become one output; nil if a command cannot do that.
    ///
    /// Pictures become one animation without being asked for, if one file is named.
    var joinsInputs: Bool? { get }
    /// Whether it decodes only its inputs, and encodes nothing by a library that is loaded on demand.
    var readsOnlyInputs: Bool { get }
    /// The options as a job; throws for contradictions.
    ///
    /// `inputs` is for options that allow only one input; the job itself works for any.
    func job(_ inputs: [Input]) throws -> Job
}

extension JobCommand {
    var jobs: Int { 0 }
    var joinsInputs: Bool? { nil }
    var readsOnlyInputs: Bool { false }

    mutating func run() async throws {
        let journal = try openJournal()
        let inputs = try takeInputs(journal)
        let command = self
        // Nobody has looked at what a search found.
        let readsMany = command.inputs.options.recursive
        try await IsolationChoice.$readsManyFiles.withValue(readsMany) {
            try await command.run(inputs, journal)
        }
    }

    private func run(_ found: [Input], _ journal: Journal?) async throws {
        DecoderLibraries.choose(
            for: found, options.limits.limits.choice, readsOnlyInputs: readsOnlyInputs)
        let job = try job(found)
        let runner = JobRunner(
            job, jobs: jobs, naming: destination.naming.name, journal: journal,
            options.report.style)
        do throws(CommandFailure) {
            try await runner.run(found)
        } catch {
            // What failed has no part in what is gone.
            if error.code == CommandFailure.someFailed.code { try prune(journal, job) }
            throw error
        }
        try prune(journal, job)
    }

    /// The journal of a search; nil where inputs are named one by one.
    ///
    /// Without a place for one the command works all the same, but does not know its results again.
    private func openJournal() throws(CommandFailure) -> Journal? {
        let prunes = options.pruning.prune
        guard inputs.options.recursive else {
            if prunes {
                throw .usage(
                    "--prune is for the files of folders.", hint: "Add --recursive (-r).")
            }
            return nil
        }
        do throws(CommandFailure) {
            return try JournalPlace.open(try JournalPlace.standard())
        } catch {
            if prunes { throw error }
            if !options.report.quiet {
                Console.say(
                    "lazyimg: warning: \(error.message) The results will not be known again.")
            }
            return nil
        }
    }

    private func prune(_ journal: Journal?, _ job: Job) throws(CommandFailure) {
        guard options.pruning.prune, let journal else { return }
        let pruning = Pruning(inputs.input, outputs: job.resultFolder)
        try pruning.run(journal).tell(options.report.style)
    }

    /// Parses the inputs.
    ///
    /// Without `-o`, the second of two names is the output, as with other converters, and the last of
    /// several that are joined, if it has the extension of one and does not exist.
    private mutating func takeInputs(_ journal: Journal?) throws(CommandFailure) -> [Input] {
        let words = inputs.input
        if destination.output == nil, words.count == 2 || words.count > 2 && joinsInputs != nil,
            let last = words.last,
            case .path(let path) = try InputAddress(last), OutputFormat(path: path) != nil,
            FileKind(path) == .nothing, !path.contains("%")
        {
            destination.output = inputs.input.removeLast()
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
            joinsInputs || isOneFile && found.allSatisfy(\.isPicture),
            let all = Input(joining: found)
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
