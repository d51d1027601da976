internal import CommandSupport
internal import LazyBatch
internal import LazyFiles
internal import MediaJobs

/// Turns the entries of a list into items of a batch, with their jobs.
struct BatchPlanner {

    private(set) var entries: [BatchEntry] = []
    private(set) var faults: [CommandFailure]
    private var templates = JobTemplates()
    private var keys: [JobWords: String] = [:]

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
        let hasOutput = listed.output != nil
        var job = try templates.make(listed.words, hasOutput: hasOutput).job
        let forced = JobWords(
            name: listed.words.name, words: ["--force"] + listed.words.words)
        var replacing = try templates.make(forced, hasOutput: hasOutput).job
        if let output = listed.output {
            job.output = output
            replacing.output = output
        }
        if job.output == "-" {
            throw .usage("A batch does not write to standard output.", hint: "Name a folder.")
        }
        let outputs = try job.outputs(for: listed.input, isAlone: listed.isNamed)
        let key = keys[listed.words] ?? Self.key(of: job)
        keys[listed.words] = key
        let (once, again) = (job, replacing)
        let item = BatchItem<JobReport>(input: source, outputs: outputs, options: key) {
            (overwrites, progress) async throws(BatchFailure) in
            do throws(CommandFailure) {
                return try await (overwrites ? again : once).run(
                    listed.input, isAlone: listed.isNamed, progress: progress)
            } catch {
                throw error.asBatchFailure
            }
        }
        return BatchEntry(input: listed.input, item: item)
    }

    private static func key(of job: some MediaJob) -> String {
        let text = job.key + "\n" + Version.number
        return String(Digest.sha256(Array(text.utf8)).hex.prefix(32))
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
