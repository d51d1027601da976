import Glibc
internal import LazyBase
internal import LazyBatch
internal import LazyMedia

/// Runs one job for all inputs of a command, several at once.
///
/// An input that fails does not stop the others; the failure of a single input is that of the command.
struct JobRunner<Job: MediaJob>: Sendable {
    /// One input and what is made of it.
    struct Item: Sendable {
        let input: Input
        let job: Job
        /// Whether the output is the file itself, not a folder.
        let isAlone: Bool
        /// The paths, the main one first; none where the job only prints.
        let outputs: [String]
        /// The position of the input among all that are reported.
        var place = 0

        /// The main output.
        var output: String { outputs.first ?? "" }
    }

    let job: Job
    /// The names of the outputs, if they are given.
    let naming: OutputNaming.Pattern?
    let report: ReportStyle
    /// The maximum number of inputs at once; 0 for one per core.
    let jobs: Int

    /// What earlier runs made, where folders are searched.
    let journal: Journal?
    /// Whether the inputs were found in folders, which are read again and again.
    var readsFolders = false
    /// Whether existing outputs count as made.
    var acceptsExisting = false
    /// Which inputs of earlier runs are gone.
    var gone = GoneInputs([])

    /// Makes a runner.
    init(
        _ job: Job, jobs: Int = 0, naming: OutputNaming.Pattern? = nil, journal: Journal? = nil,
        _ report: ReportStyle
    ) {
        self.journal = journal
        self.job = job
        self.naming = naming
        self.report = report
        self.jobs = jobs == 0 ? BlockingPool.coreCount : jobs
    }

    /// Makes the outputs of all inputs, and reports the results; the first signal cancels the work.
    ///
    /// Throws before any work if the outputs are wrong: two inputs with one output, several on standard
    /// output.
    func run(_ inputs: [Input]) async throws(CommandFailure) {
        try await Interruption.cancelling { () async throws(CommandFailure) in
            if readsFolders, job.isRepeatable {
                try await runAgain(inputs, journal)
            } else {
                try await runAll(inputs)
            }
        }
    }

    private func runAll(_ inputs: [Input]) async throws(CommandFailure) {
        let items = try plan(inputs)
        var answers = JobAnswers(inputs, in: job.output, report)
        let bar = JobBar(items.count == 1 ? inputs[0].label : Job.name, items.count, report)
        defer { bar?.finish() }
        let folders = try makeFolders(items)
        // Removes new folders that stay empty because all their outputs failed.
        defer { removeEmpty(folders) }
        try await ConcurrentMap.runInputs(items, jobs: jobs) { index, item in
            await attempt(item) { bar?.set($0, of: index) }
        } didEnd: { (index, outcome) throws(CommandFailure) in
            bar?.end(index)
            try answers.add(outcome, at: index, bar)
        }
        bar?.finish()
        try answers.finish(isOutputTaken: items.contains { $0.output == "-" })
    }

    /// The main output of each input; throws for conflicts before any work.
    private func plan(_ inputs: [Input]) throws(CommandFailure) -> [Item] {
        if job.output == "-", inputs.count > 1 {
            throw .usage(
                "Several inputs cannot go to standard output.", hint: "Name a folder with -o.")
        }
        var items: [Item] = []
        var seen: [PathKey: Input] = [:]
        for input in inputs {
            let item = try item(input, isAlone: inputs.isSingle)
            for output in item.outputs where !FileKind.isDevice(output) {
                guard let other = seen.updateValue(input, forKey: PathKey(output)) else { continue }
                throw .usage(
                    "\(other.label) and \(input.label) would both be written to \(output).",
                    hint:
                        "Use --name for different names, such as --name '{name}-{ext}.\(FilePath.fileExtension(of: output) ?? "png")'."
                )
            }
            items.append(item)
        }
        return items
    }

    /// What is made of an input; throws if it has no output.
    func item(_ input: Input, isAlone: Bool) throws(CommandFailure) -> Item {
        var (job, isAlone) = (job, isAlone)
        if let naming {
            let names = OutputNaming(folder: job.output, pattern: naming)
            (job.output, isAlone) = (names.output(for: NamedInput(input)), true)
        }
        let outputs = try job.outputs(for: input, isAlone: isAlone)
        return Item(input: input, job: job, isAlone: isAlone, outputs: outputs)
    }

    /// Removes those folders that are empty.
    func removeEmpty(_ folders: [String]) {
        for folder in folders.reversed() { rmdir(folder.systemPath) }
    }

    /// Creates the folders of outputs, unless the command names a file; returns new ones.
    func makeFolders(_ items: [Item]) throws(CommandFailure) -> [String] {
        var made: [String] = []
        for item in items {
            guard let output = item.job.output, output != "-",
                naming != nil || !item.isAlone || output.endsInSlash
            else { continue }
            let folder = item.output.parentFolder
            if FileKind(folder) != .folder { made += try OutputFolder(folder).create() }
        }
        return made
    }

    private func attempt(
        _ item: Item, progress: @escaping @Sendable (Double) -> Void
    ) async -> Result<JobReport, CommandFailure> {
        if acceptsExisting, !item.outputs.isEmpty,
            item.outputs.allSatisfy({ FileKind($0) != .nothing && !FileKind.isDevice($0) })
        {
            return .success(.kept(item.output, of: item.input))
        }
        do throws(CommandFailure) {
            return .success(
                try await item.job.run(item.input, isAlone: item.isAlone, progress: progress))
        } catch {
            return .failure(error)
        }
    }
}
