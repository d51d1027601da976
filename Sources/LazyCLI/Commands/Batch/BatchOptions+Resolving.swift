internal import LazyBase
internal import LazyBatch

extension JournalOptions {
    /// Throws for contradictions.
    func check() throws(CommandFailure) {
        try CommandFailure.refuse([
            ("--no-journal", noJournal, "--journal", journal != nil),
            ("--force", force, "--skip-existing", skipExisting),
        ])
    }

    /// Opens the journal for a folder of outputs, or for outputs next to their inputs; nil for none.
    func open(output: String?) throws(CommandFailure) -> Journal? {
        if noJournal { return nil }
        if let journal { return try Self.open(journal) }
        return try Self.open(try JournalPlace.standard(output: output))
    }

    /// Opens a journal, and creates it where it is missing.
    static func open(_ path: String) throws(CommandFailure) -> Journal {
        do throws(FileError) { return try Journal(path) } catch { throw CommandFailure(error) }
    }
}

extension BatchJournalOptions {
    /// Throws for contradictions.
    func check() throws(CommandFailure) {
        try kept.check()
        try CommandFailure.refuse([
            ("--journal", kept.journal != nil, "--resume", resume != nil),
            ("--no-journal", kept.noJournal, "--resume", resume != nil),
        ])
    }
}

extension BatchFailureOptions {
    /// Throws for contradictions.
    func check() throws(CommandFailure) {
        try CommandFailure.refuse([
            ("--fail-fast", failFast, "--keep-going", keepGoing),
            ("--fail-fast", failFast, "--max-failures", maxFailures != nil),
        ])
    }

    /// The number of failures that ends the run.
    var mostFailures: Int? { failFast ? 1 : maxFailures }

    /// The rules of a run.
    func rules(_ journal: JournalOptions, _ parallel: ParallelOptions) -> BatchRules {
        BatchRules(
            jobs: BatchMemory.jobs(parallel.jobs, limit: SystemMemory.limit),
            isForced: journal.force, acceptsExisting: journal.skipExisting, retries: retries,
            timeout: timeout)
    }
}

extension BatchShardOptions {
    /// The shard of this machine.
    func chosen() throws(CommandFailure) -> Shard {
        switch shard {
        case nil: return .all
        case .one(let shard)?: return shard
        case .auto?:
            do throws(ShardError) {
                return try ShardEnvironment.shard(ShardEnvironment.current, count: shards)
            } catch {
                throw .usage(error.message, hint: error.hint)
            }
        }
    }
}

extension CommandFailure {
    /// Throws for the first pair of options that were both given.
    static func refuse(_ pairs: [(String, Bool, String, Bool)]) throws(CommandFailure) {
        guard let (one, _, other, _) = pairs.first(where: { $0.1 && $0.3 }) else { return }
        throw .usage("\(one) cannot be combined with \(other).")
    }
}
