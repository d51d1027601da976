internal import ArgumentParser
internal import LazyBase
internal import LazyBatch

extension BatchCommand {
    func check() throws(CommandFailure) {
        try flags.failing.check()
        try flags.memory.check()
        try CommandFailure.refuse([
            ("--json", flags.report.json, "--jsonl", flags.jsonl),
            (
                "--name", flags.places.naming.name != nil, "--preserve-tree",
                flags.places.preserveTree
            ),
        ])
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

    func shard() throws(CommandFailure) -> Shard { try flags.sharding.chosen() }

    func openJournal() throws(CommandFailure) -> Journal? {
        guard let path = flags.memory.resume else {
            let journal = try flags.memory.kept.open(output: flags.places.output)
            do throws(FileError) {
                try journal?.append(BatchResumption.line(ProcessArguments.words))
            } catch {
                throw CommandFailure(error)
            }
            return journal
        }
        if FileKind(path) == .nothing {
            throw CommandFailure(.noInput, "missing", "There is no journal \(path).")
        }
        return try JournalOptions.open(path)
    }
}
