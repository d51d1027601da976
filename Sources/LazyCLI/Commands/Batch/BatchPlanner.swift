internal import LazyBase
internal import LazyBatch
internal import LazyPipeline

/// Turns the entries of a list into items of a batch, with their jobs.
struct BatchPlanner {
    private(set) var entries: [BatchEntry] = []
    /// The number of found files whose output would be the file itself.
    private(set) var left = SkippedFiles()
    private(set) var faults: [CommandFailure]
    /// The folder of outputs that the job itself has; nil for next to the inputs.
    private(set) var resultFolder: String?
    private var templates = JobTemplates()
    /// The files of folders, where they are asked for.
    private var found: Set<NameDigest> = []
    private var jobs: [WantedJob: SharedJob] = [:]
    // Most lists want one job.
    private var latest: (wanted: WantedJob, pair: SharedJob)?

    /// Plans the items of one shard; throws where two named inputs would be written to one file.
    ///
    /// Throws for invalid common options; invalid options in a line of a manifest become faults, and so
    /// does a file found in a folder whose output is that of another one.
    init(
        _ list: BatchList, _ shard: Shard, by key: ShardKey, common: JobWords?, base: String?,
        _ journal: Journal?, isForced: Bool = false
    ) throws(CommandFailure) {
        // An invalid line belongs to no shard: the first machine reports it.
        faults = shard.number == 1 ? list.faults : []
        if let common {
            resultFolder = try templates.make(common, hasOutput: true).job.resultFolder
        }
        let plan = BatchPlan(shard, by: key, base: base)
        var contest = OutputContest()
        var places: [Int] = []
        for (place, item) in list.items.enumerated() {
            let input = item.input.batchInput
            let isOurs = plan.contains(input, place: place)
            do throws(CommandFailure) {
                let entry = try entry(of: item)
                if isForced, item.input.subfolder != nil {
                    try refuse(entry.item.outputs, of: item.input, amongInputs: list)
                }
                // Those of other shards too: two machines could write one file without noticing.
                contest.enter(place, outputs: entry.item.outputs)
                if !isOurs { continue }
                entries.append(entry)
                places.append(place)
            } catch {
                if error.code == CommandFailure.replacesInput, item.input.subfolder != nil {
                    if isOurs { left.add(item.input.label) }
                    continue
                }
                let isOfFound = item.input.subfolder != nil && error.code == "exists"
                if item.words == common, !isOfFound { throw error }
                if isOurs { faults.append(error.about(item.input.label)) }
            }
        }
        try drop(contest, places, list, journal)
    }

    /// Throws for an output that is another file of a folder, which is not replaced even by force.
    private mutating func refuse(
        _ outputs: [String], of input: Input, amongInputs list: BatchList
    ) throws(CommandFailure) {
        if found.isEmpty {
            found = Set(
                list.items.filter { $0.input.subfolder != nil }.map {
                    NameDigest($0.input.batchInput.source)
                })
        }
        for output in outputs where found.contains(NameDigest(FilePath.absolute(output))) {
            throw .replacesOthers(output, input.label)
        }
    }

    /// Drops the entries whose outputs are those of others.
    private mutating func drop(
        _ contest: OutputContest, _ places: [Int], _ list: BatchList, _ journal: Journal?
    ) throws(CommandFailure) {
        let input = { (place: Int) in list.items[place].input }
        var lost: Set<Int> = []
        for loss in contest.losses(journal, input) {
            guard input(loss.loser).subfolder != nil, input(loss.winner).subfolder != nil else {
                throw CommandFailure(loss, input)
            }
            lost.insert(loss.loser)
            guard places.contains(loss.loser) else { continue }
            if loss.isOfPicture {
                left.add(input(loss.loser).label)
            } else {
                faults.append(loss.failure(input, folder: list.items[loss.loser].output))
            }
        }
        if !lost.isEmpty {
            entries = zip(places, entries).filter { !lost.contains($0.0) }.map(\.1)
        }
    }

    /// The entry of one input.
    mutating func entry(of listed: ListedItem) throws(CommandFailure) -> BatchEntry {
        let pair = try pair(of: listed)
        let job = pair.job(overwrites: false, output: listed.output)
        if job.output == "-" {
            throw .usage("A batch does not write to standard output.", hint: "Name a folder.")
        }
        let outputs = try job.outputs(for: listed.input, isAlone: listed.isNamed)
        var item = BatchItem<JobReport>(
            input: listed.input.batchInput, outputs: outputs, options: pair.key(of: listed.input)
        ) {
            (overwrites, progress) async throws(BatchFailure) in
            do throws(CommandFailure) {
                return try await pair.job(overwrites: overwrites, output: listed.output).run(
                    listed.input, isAlone: listed.isNamed, progress: progress)
            } catch {
                throw error.asBatchFailure(of: listed.input)
            }
        }
        item.earlierOptions = pair.earlierKeys(of: listed.input)
        item.isFound = listed.input.subfolder != nil && job.leavesOthers
        item.succeeds = listed.input.succeeds
        return BatchEntry(input: listed.input, item: item)
    }

    private mutating func pair(of listed: ListedItem) throws(CommandFailure) -> SharedJob {
        let wanted = WantedJob(words: listed.words, hasOutput: listed.output != nil)
        if let latest, latest.wanted == wanted { return latest.pair }
        let pair =
            if let known = jobs[wanted] { known } else { try makePair(listed, wanted.hasOutput) }
        jobs[wanted] = pair
        latest = (wanted, pair)
        return pair
    }

    private mutating func makePair(
        _ listed: ListedItem, _ hasOutput: Bool
    ) throws(CommandFailure) -> SharedJob {
        var job = try templates.make(listed.words, hasOutput: hasOutput).job
        // The extension of the output may be the format.
        if let output = listed.output { job.output = output }
        return SharedJob(job, of: listed.input)
    }
}

/// Which job an item is for.
private struct WantedJob: Hashable {
    let words: JobWords
    /// Whether the batch names the output.
    let hasOutput: Bool
}

/// A job for all items that want it; what is of one item is added when it runs, for a list may be long.
private final class SharedJob: Sendable {
    private let job: any MediaJob
    // Digests, which are computed once unless they depend on the input.
    private let keys: (now: String, earlier: [String])?

    init(_ job: any MediaJob, of input: Input) {
        self.job = job
        keys =
            job.dependsOnTime
            ? nil : (job.journalKey(of: input), job.earlierJournalKeys(of: input))
    }

    /// What decides the bytes besides the input.
    func key(of input: Input) -> String { keys?.now ?? job.journalKey(of: input) }

    /// The same as earlier versions noted it.
    func earlierKeys(of input: Input) -> [String] {
        keys?.earlier ?? job.earlierJournalKeys(of: input)
    }

    func job(overwrites: Bool, output: String?) -> any MediaJob {
        var job = job
        if overwrites { job.overwrite = .always }
        if let output { job.output = output }
        return job
    }
}

extension CommandFailure {
    fileprivate init(_ loss: OutputContest.Loss, _ input: (Int) -> Input) {
        let labels = [loss.winner, loss.loser].sorted().map { input($0).label }
        self.init(
            .usage, "collision",
            "\(labels.joined(separator: " and ")) would both be written to \(loss.output).",
            hint: "Separate them with --preserve-tree or --name.")
    }
}
