internal import ArgumentParser
internal import CommandSupport
internal import LazyBatch
internal import LazyFiles
internal import MediaJobs

extension BatchCommand {
    func check() throws(CommandFailure) {
        let pairs: [(String, Bool, String, Bool)] = [
            ("--fail-fast", flags.failing.failFast, "--keep-going", flags.failing.keepGoing),
            (
                "--fail-fast", flags.failing.failFast, "--max-failures",
                flags.failing.maxFailures != nil
            ),
            ("--journal", flags.memory.journal != nil, "--resume", flags.memory.resume != nil),
            ("--no-journal", flags.memory.noJournal, "--journal", flags.memory.journal != nil),
            ("--no-journal", flags.memory.noJournal, "--resume", flags.memory.resume != nil),
            ("--force", flags.memory.force, "--skip-existing", flags.memory.skipExisting),
            ("--json", flags.report.json, "--jsonl", flags.jsonl),
            (
                "--name", flags.places.naming.name != nil, "--preserve-tree",
                flags.places.preserveTree
            ),
        ]
        if let (one, _, other, _) = pairs.first(where: { $0.1 && $0.3 }) {
            throw .usage("\(one) cannot be combined with \(other).")
        }
        if flags.places.output == "-" {
            throw .usage("A batch does not write to standard output.", hint: "Name a folder.")
        }
    }

    func sources(_ common: JobWords?) throws(CommandFailure) -> BatchList.Sources {
        var sources = BatchList.Sources(
            lists: flags.places.filesFrom, manifests: flags.places.manifest,
            isNullSeparated: flags.places.null,
            isRecursive: flags.places.taking.recursive,
            naming: OutputNaming(
                folder: flags.places.output, keepsTree: flags.places.preserveTree,
                base: flags.places.base,
                pattern: flags.places.naming.name))
        guard let common else { return sources }
        var templates = JobTemplates()
        let made = try templates.make(common, hasOutput: true)
        sources.arguments = made.inputs
        // Without the inputs, so that items with the same options share a job.
        sources.words = JobWords(name: common.name, words: made.options(of: common.words))
        if sources.arguments.isEmpty, sources.lists.isEmpty, sources.manifests.isEmpty {
            throw .usage(
                "There are no inputs.", hint: "Name files, patterns, --files-from or --manifest.")
        }
        return sources
    }

    func shard() throws(CommandFailure) -> Shard {
        switch flags.sharding.shard {
        case nil: return .all
        case .one(let shard)?: return shard
        case .auto?:
            do throws(ShardError) {
                return try ShardEnvironment.shard(
                    ShardEnvironment.current, count: flags.sharding.shards)
            } catch {
                throw .usage(error.message, hint: error.hint)
            }
        }
    }

    func openJournal() throws(CommandFailure) -> Journal? {
        if flags.memory.noJournal { return nil }
        if let path = flags.memory.resume, FileKind(path) == .nothing {
            throw CommandFailure(.noInput, "missing", "There is no journal \(path).")
        }
        let named = flags.memory.resume ?? flags.memory.journal
        let path =
            if let named { named } else { try JournalPlace.standard(output: flags.places.output) }
        do throws(FileError) {
            let journal = try Journal(path)
            if flags.memory.resume == nil {
                try journal.append(BatchResumption.line(ProcessArguments.words))
            }
            return journal
        } catch {
            throw CommandFailure(error)
        }
    }
}
