internal import LazyBase
internal import LazyBatch
internal import LazyMedia
internal import LazyPipeline

/// Folders are read again and again: what a journal says is made is kept, and one file that cannot have its
/// output does not stop the others.
extension JobRunner {
    /// Makes what is missing or outdated of files found in folders; reports those without an output at the end.
    func runAgain(_ inputs: [Input], _ journal: Journal?) async throws(CommandFailure) {
        let plan = try FolderPlan(inputs, self, journal)
        FolderSearch.tell(left: plan.left, report)
        var answers = JobAnswers(plan.inputs, in: job.output, report)
        var nothing: [(index: Int, input: Input)] = []
        var foreign = plan.foreign
        let bar = JobBar(Job.name, plan.items.count, report)
        defer { bar?.finish() }
        let folders = try makeFolders(plan.items)
        // Removes new folders that stay empty because all their outputs failed.
        defer { removeEmpty(folders) }
        defer { journal?.flush() }
        let run = BatchRun(
            plan.items.map(\.batched), journal: journal,
            rules: rules,
            observer: .init(didAdvance: { index, share in bar?.set(share, of: index) }))
        do throws(BatchFailure) {
            try await run.run { (index, outcome) throws(BatchFailure) in
                let item = plan.items[index]
                bar?.end(index, outcome)
                guard let result = Self.result(outcome, item) else {
                    nothing.append((index, item.input))
                    return
                }
                if case .skipped(SkipReason.foreign) = outcome { foreign.add(item.output) }
                do throws(CommandFailure) {
                    try answers.add(result, at: item.place, bar)
                } catch {
                    throw error.asBatchFailure
                }
            }
        } catch {
            throw CommandFailure(error, about: nil)
        }
        bar?.finish()
        for (place, clash) in plan.clashes.sorted(by: { $0.0 < $1.0 }) {
            try answers.add(.failure(clash), at: place, bar)
        }
        foreign.tell(report)
        let skipped = nothing.sorted { $0.index < $1.index }.map(\.input)
        FolderSearch.tell(nothing: SkippedFiles(skipped), report)
        try answers.finish(isOutputTaken: false)
    }

    private var rules: BatchRules {
        var rules = BatchRules(
            jobs: jobs, isForced: job.overwrite == .always, acceptsExisting: acceptsExisting)
        rules.gone = gone
        return rules
    }

    /// What is reported of an outcome; nil where there was nothing to make an output of.
    private static func result(
        _ outcome: BatchOutcome<JobReport>, _ item: Item
    ) -> Result<JobReport, CommandFailure>? {
        switch outcome {
        case .made(let made): .success(made)
        case .skipped: .success(.kept(item.output, of: item.input))
        case .nothing: nil
        case .failed(let failure): .failure(CommandFailure(failure, about: item.input.label))
        }
    }
}

/// Which outputs a command makes of the files in folders.
private struct FolderPlan<Job: MediaJob> {
    /// The inputs with outputs of their own, and those without.
    private(set) var inputs: [Input] = []
    private(set) var items: [JobRunner<Job>.Item] = []
    /// The inputs without an output, and why.
    private(set) var clashes: [(place: Int, failure: CommandFailure)] = []
    /// Outputs that are there already, among the found files.
    private(set) var foreign = ForeignOutputs()
    /// Files whose output would be the file itself, or is a film's.
    private(set) var left = SkippedFiles()

    init(_ found: [Input], _ runner: JobRunner<Job>, _ journal: Journal?) throws(CommandFailure) {
        if runner.job.output == "-" {
            throw .usage(
                "The files of a folder cannot go to standard output.",
                hint: "Name a folder with -o.")
        }
        var contest = OutputContest()
        let files = Set(found.filter(\.isFile).map { NameDigest($0.batchInput.source) })
        var (own, taken): ([Input], Set<NameDigest>) = ([], [])
        for input in found {
            do throws(CommandFailure) {
                var item = try runner.item(input, isAlone: false)
                item.place = inputs.count
                let others = item.outputs.map { NameDigest(FilePath.absolute($0)) }.filter {
                    files.contains($0)
                }
                if others.isEmpty {
                    items.append(item)
                    contest.enter(item.place, outputs: item.outputs)
                } else if runner.job.overwrite == .always {
                    clashes.append((item.place, .replacesOthers(item.output, input.label)))
                } else {
                    taken.formUnion(others)
                    if !runner.acceptsExisting { foreign.add(item.output) }
                }
                inputs.append(input)
            } catch {
                guard error.code == CommandFailure.replacesInput, input.subfolder != nil else {
                    throw error
                }
                own.append(input)
            }
        }
        // What is in the way of a film is said of that.
        for input in own where !taken.contains(NameDigest(input.batchInput.source)) {
            left.add(input.label)
        }
        drop(contest, runner.job.output, journal)
    }

    /// Drops the items whose outputs are those of others.
    private mutating func drop(_ contest: OutputContest, _ folder: String?, _ journal: Journal?) {
        let input = { [inputs] (place: Int) in inputs[place] }
        let losses = contest.losses(journal, input)
        let lost = Set(losses.map(\.loser))
        items.removeAll { lost.contains($0.place) }
        for loss in losses where loss.isOfPicture { left.add(input(loss.loser).label) }
        clashes += losses.filter { !$0.isOfPicture }.map {
            ($0.loser, $0.failure(input, folder: folder))
        }
    }
}

extension JobRunner.Item {
    /// The item of a run with a journal.
    fileprivate var batched: BatchItem<JobReport> {
        var item = BatchItem<JobReport>(
            input: input.batchInput, outputs: outputs, options: job.journalKey(of: input)
        ) { (overwrites, progress) async throws(BatchFailure) in
            var job = job
            if overwrites { job.overwrite = .always }
            do throws(CommandFailure) {
                return try await job.run(input, isAlone: isAlone, progress: progress)
            } catch {
                throw error.asBatchFailure(of: input)
            }
        }
        item.earlierOptions = job.earlierJournalKeys(of: input)
        item.isFound = input.subfolder != nil && job.leavesOthers
        item.succeeds = input.succeeds
        return item
    }
}

extension CommandFailure {
    /// The failure for an output that is one of the inputs, which is not replaced even by force.
    static func replacesOthers(_ output: String, _ input: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate, "exists", "\(output) is an input itself, and is not replaced.",
            hint: "Leave it out with --kind video, or write elsewhere with -o."
        ).about(input)
    }
}
