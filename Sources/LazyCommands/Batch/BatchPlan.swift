internal import CommandSupport
import Glibc
internal import LazyBatch
internal import LazyFiles
internal import LazyMedia
internal import MediaJobs

/// One input with its job and all that its turn needs.
struct PlannedItem: Sendable {
    let input: Input
    let job: any MediaJob
    /// The same job, which replaces what is there.
    let replacing: any MediaJob
    let isNamed: Bool
    let outputs: [String]
    /// The main output's one spelling, for the journal.
    let key: String
    /// The input's.
    let source: String
    /// What decides the bytes, apart from the input.
    let options: String
}

/// What a batch is to do: the items of its shard, with their jobs.
struct BatchPlan {
    /// What an input's shard is told by.
    enum Dealing: String, CaseIterable {
        /// Its address: no file is opened.
        case name
        /// Its content: copies of one file go to one machine.
        case content
        /// Its place in the list: all machines need the very same list.
        case order
    }

    private(set) var items: [PlannedItem] = []
    private(set) var faults: [CommandFailure]
    private var templates = JobTemplates()
    private var fingerprints: [JobWords: String] = [:]

    /// Plans the items of one shard; throws where two inputs would be written to one file.
    ///
    /// What is wrong with the options of all is thrown too, what is wrong with those of a line of a
    /// manifest is one of the faults.
    init(
        _ list: BatchList, _ shard: Shard, _ dealing: Dealing, common: JobWords?, base: String?
    ) throws(CommandFailure) {
        // A broken line belongs to nobody: one machine tells of it.
        faults = shard.number == 1 ? list.faults : []
        if let common { _ = try templates.make(common, hasOutput: true) }
        var seen: [PathKey: String] = [:]
        for (place, item) in list.items.enumerated() {
            let isOurs = Self.isIn(shard, dealing, item, place: place, base)
            do throws(CommandFailure) {
                // Two machines that write one file would not hear of each other.
                let planned = try plan(item)
                for output in planned.outputs where !FileKind.isDevice(output) {
                    guard let other = seen.updateValue(item.input.label, forKey: PathKey(output))
                    else {
                        continue
                    }
                    throw CommandFailure(
                        .usage, "collision",
                        "\(other) and \(item.input.label) would both be written to \(output).",
                        hint:
                            "Keep their folders apart with --preserve-tree, or name them with --name."
                    )
                }
                if isOurs { items.append(planned) }
            } catch {
                if error.code == "collision" || item.words == common { throw error }
                if isOurs { faults.append(error.about(item.input.label)) }
            }
        }
    }

    private static func isIn(
        _ shard: Shard, _ dealing: Dealing, _ item: BatchItem, place: Int, _ base: String?
    ) -> Bool {
        guard shard.count > 1 else { return true }
        switch dealing {
        case .order: return shard.contains(place: place)
        case .content:
            if case .path(let path) = item.input.address,
                let digest = Digest.content(path, most: .max)
            {
                return shard.contains(digest)
            }
            // What cannot be read must be in one shard too, whose machine tells why.
            return shard.contains(item.input.label)
        case .name: return shard.contains(item.shardAddress(base))
        }
    }

    private mutating func plan(_ item: BatchItem) throws(CommandFailure) -> PlannedItem {
        var job = try templates.make(item.words, hasOutput: item.output != nil).job
        let forced = JobWords(name: item.words.name, words: ["--force"] + item.words.words)
        var replacing = try templates.make(forced, hasOutput: item.output != nil).job
        if let output = item.output {
            job.output = output
            replacing.output = output
        }
        if job.output == "-" {
            throw .usage("A batch does not write to standard output.", hint: "Name a folder.")
        }
        let outputs = try job.outputs(for: item.input, isAlone: item.isNamed)
        let options = fingerprints[item.words] ?? Self.options(of: job)
        fingerprints[item.words] = options
        return PlannedItem(
            input: item.input, job: job, replacing: replacing, isNamed: item.isNamed,
            outputs: outputs, key: CanonicalPath.absolute(outputs.first ?? ""),
            source: Self.source(item.input), options: options)
    }

    private static func options(of job: some MediaJob) -> String {
        let text = job.fingerprint + "\n" + Version.number
        return String(Digest.sha256(Array(text.utf8)).hex.prefix(32))
    }

    private static func source(_ input: Input) -> String {
        if case .path(let path) = input.address {
            CanonicalPath.absolute(path)
        } else {
            input.label
        }
    }
}

extension BatchItem {
    /// What the shard is told by: the one spelling of the path, without what machines call it by.
    func shardAddress(_ base: String?) -> String {
        guard case .path(let path) = input.address else { return input.label }
        let canonical = CanonicalPath.normalized(path)
        guard let base else { return canonical }
        let head = CanonicalPath.normalized(base) + "/"
        return canonical.hasPathPrefix(head) ? String(canonical[head.endIndex...]) : canonical
    }
}
