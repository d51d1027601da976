internal import LazyBase
internal import LazyBatch

/// Turns the entries of a list into items of a batch, with their jobs.
struct BatchPlanner {
    private(set) var entries: [BatchEntry] = []
    private(set) var faults: [CommandFailure]
    private var templates = JobTemplates()
    private var pairs: [WantedJob: JobPair] = [:]
    // Most lists want one job.
    private var latest: (wanted: WantedJob, pair: JobPair)?

    /// Plans the items of one shard; throws where two inputs would be written to one file.
    ///
    /// Throws for invalid common options; invalid options in a line of a manifest
    /// become faults.
    init(
        _ list: BatchList, _ shard: Shard, by key: ShardKey, common: JobWords?, base: String?
    ) throws(CommandFailure) {
        // An invalid line belongs to no shard: the first machine reports it.
        faults = shard.number == 1 ? list.faults : []
        if let common { _ = try templates.make(common, hasOutput: true) }
        var plan = BatchPlan(shard, by: key, base: base)
        for (place, item) in list.items.enumerated() {
            let input = item.input.batchInput
            let isOurs = plan.contains(input, place: place)
            do throws(CommandFailure) {
                // Two machines could write one file without noticing.
                let entry = try entry(of: item, input)
                do throws(BatchPlan.Collision) {
                    try plan.register(input, outputs: entry.item.outputs)
                } catch {
                    throw CommandFailure(error)
                }
                if isOurs { entries.append(entry) }
            } catch {
                if error.code == "collision" || item.words == common { throw error }
                if isOurs { faults.append(error.about(item.input.label)) }
            }
        }
    }

    private mutating func entry(
        of listed: ListedItem, _ source: BatchInput
    ) throws(CommandFailure) -> BatchEntry {
        let pair = try pair(of: listed)
        let job = pair.job(overwrites: false, output: listed.output)
        if job.output == "-" {
            throw .usage("A batch does not write to standard output.", hint: "Name a folder.")
        }
        let outputs = try job.outputs(for: listed.input, isAlone: listed.isNamed)
        let item = BatchItem<JobReport>(input: source, outputs: outputs, options: pair.key) {
            (overwrites, progress) async throws(BatchFailure) in
            do throws(CommandFailure) {
                return try await pair.job(overwrites: overwrites, output: listed.output).run(
                    listed.input, isAlone: listed.isNamed, progress: progress)
            } catch {
                throw error.asBatchFailure
            }
        }
        return BatchEntry(input: listed.input, item: item)
    }

    private mutating func pair(of listed: ListedItem) throws(CommandFailure) -> JobPair {
        let wanted = WantedJob(words: listed.words, hasOutput: listed.output != nil)
        if let latest, latest.wanted == wanted { return latest.pair }
        let pair =
            if let known = pairs[wanted] { known } else { try makePair(listed, wanted.hasOutput) }
        pairs[wanted] = pair
        latest = (wanted, pair)
        return pair
    }

    private mutating func makePair(
        _ listed: ListedItem, _ hasOutput: Bool
    ) throws(CommandFailure) -> JobPair {
        let forced = JobWords(name: listed.words.name, words: ["--force"] + listed.words.words)
        var job = try templates.make(listed.words, hasOutput: hasOutput).job
        var replacing = try templates.make(forced, hasOutput: hasOutput).job
        // The extension of the output may be the format.
        if let output = listed.output { (job.output, replacing.output) = (output, output) }
        return JobPair(job: job, replacing: replacing, key: Self.key(of: job))
    }

    private static func key(of job: some MediaJob) -> String {
        let text = job.key + "\n" + Version.number
        return String(Digest.sha256(Array(text.utf8)).hex.prefix(32))
    }
}

/// Which job an item is for.
private struct WantedJob: Hashable {
    let words: JobWords
    /// Whether the batch names the output.
    let hasOutput: Bool
}

/// A job for all items that want it; what is of one item is added when it runs, for a list may be long.
private final class JobPair: Sendable {
    /// What decides the bytes besides the input.
    let key: String
    private let job: any MediaJob
    private let replacing: any MediaJob

    init(job: any MediaJob, replacing: any MediaJob, key: String) {
        (self.job, self.replacing, self.key) = (job, replacing, key)
    }

    func job(overwrites: Bool, output: String?) -> any MediaJob {
        var job = overwrites ? replacing : job
        if let output { job.output = output }
        return job
    }
}

extension CommandFailure {
    fileprivate init(_ collision: BatchPlan.Collision) {
        self.init(
            .usage, "collision",
            "\(collision.inputs.joined(separator: " and ")) would both be written to \(collision.output).",
            hint: "Separate them with --preserve-tree or --name.")
    }
}

extension Input {
    fileprivate var batchInput: BatchInput {
        if case .path(let path) = address {
            BatchInput(path: path)
        } else {
            BatchInput(address: label)
        }
    }
}
