import Glibc
internal import LazyBase
internal import LazyLoading
import Synchronization

/// The turn of one item: whether it is needed, its start in the journal, its work and the result.
struct BatchAttempt<Product: BatchProduct>: Sendable {
    let item: BatchItem<Product>
    let journal: Journal?
    let rules: BatchRules
    let pool: BlockingPool
    /// Whether to wait for another process that works on the item.
    let waits: Bool
    let didStart: @Sendable () -> Void
    let didAdvance: @Sendable (Double) -> Void

    /// Runs the attempt; nil if another process works on the item.
    func run() async -> BatchOutcome<Product>? {
        do throws(BatchFailure) {
            try refusePipes()
            guard let journal else { return try await attempt(facts(nil)) }
            let key = item.key
            while !journal.claim(key) {
                guard waits else { return nil }
                try await sleep(.milliseconds(100))
            }
            defer { journal.release(key) }
            if waits { journal.readOn() }
            return try await attempt(facts(journal.record(of: key)))
        } catch {
            return .failed(error)
        }
    }

    /// The outcome where nothing is to do by the journal and the files alone, which needs no claim; nil
    /// for all others.
    func outcomeIfMade() -> BatchOutcome<Product>? {
        guard let journal else { return nil }
        let facts = facts(journal.record(of: item.key))
        // Pipes are refused with a message.
        let isPlain = facts.identity != nil || item.input.path == nil
        guard isPlain, SkipDecision(facts, content: { nil }) == .skip(notesAgain: false) else {
            return nil
        }
        return Self.kept(facts.record)
    }

    private static func kept(_ record: JournalRecord?) -> BatchOutcome<Product> {
        if record?.state == .nothing { return .nothing }
        return .skipped(record == nil ? "existing" : "made")
    }

    private func sleep(_ time: Duration) async throws(BatchFailure) {
        do { try await rules.clock.sleep(until: rules.clock.now + time) } catch { throw .cancelled }
    }

    // Reading a pipe without a writer would block without end, and ignore signals.
    private func refusePipes() throws(BatchFailure) {
        guard rules.timeout == nil, let path = item.input.path, FileKind.isDevice(path) else {
            return
        }
        throw BatchFailure(
            .failsItem, "notAFile",
            "\(path) is a pipe or a device, and a batch does not wait for it.",
            hint: "Say with --timeout how long it may take.")
    }

    private var identity: InputIdentity? { item.input.path.flatMap { InputIdentity(path: $0) } }

    private var content: String? { item.input.path.flatMap { Digest.content($0)?.hex } }

    private func facts(_ record: JournalRecord?) -> SkipDecision.Facts {
        SkipDecision.Facts(
            record: record, input: item.input.source, identity: identity, options: item.options,
            earlierOptions: item.earlierOptions, sizes: sizes(record),
            isOrphaned: record.map(isOrphaned) ?? false,
            isIntact: { $0.isIntact }, acceptsExisting: rules.acceptsExisting,
            isForced: rules.isForced)
    }

    private func isOrphaned(_ record: JournalRecord) -> Bool {
        if record.input.isSamePath(as: item.input.source) { return false }
        var gone = rules.gone.afresh
        return gone.answer(record.input, on: record.inputVolume) == .gone
            || item.isFound && item.succeeds(record.input)
    }

    private func attempt(
        _ known: SkipDecision.Facts
    ) async throws(BatchFailure) -> BatchOutcome<Product> {
        var facts = known
        let before = facts.identity
        var decision = SkipDecision(facts, content: { content })
        if decision == .make(overwrites: false), facts.hasOutput, let journal {
            // Foreign files, or made by another process since the journal was read.
            journal.readOn()
            facts.record = journal.record(of: item.key)
            decision = SkipDecision(facts, content: { content })
        }
        switch decision {
        case .skip(let notesAgain):
            let record = facts.record
            if notesAgain, let record { try noteAgain(record, before) }
            return Self.kept(record)
        case .make(overwrites: false) where facts.hasOutput && item.isFound:
            return .skipped(SkipReason.foreign)
        case .make(let overwrites): return try await make(overwrites, before, facts)
        }
    }

    /// Notes what is made under today's names, without making or reading it again.
    private func noteAgain(
        _ record: JournalRecord, _ before: InputIdentity?
    ) throws(BatchFailure) {
        guard record.state != .nothing else { return try note(.nothing, before, files: []) }
        // What is made has its digest in the record, if it ever was computed.
        let content = record.state == .done ? record.content : record.content ?? content
        try note(.done, before, content: content, files: ResultFiles(record.files).present)
    }

    private func make(
        _ overwrites: Bool, _ before: InputIdentity?, _ facts: SkipDecision.Facts
    ) async throws(BatchFailure) -> BatchOutcome<Product> {
        let existed = facts.hasOutput
        // Foreign files that existed before would count as ours in the next run.
        let isNoted = journal != nil && (overwrites || !existed)
        let files = ResultFiles(isNoted ? facts.record?.files.filter(\.isLikelyIntact) ?? [] : [])
        if isNoted { try note(.start, before, files: files.old) }
        didStart()
        do throws(BatchFailure) {
            try createFolders()
            let made = try await noting(files, isNoted, before) {
                () async throws(BatchFailure) in try await tries(overwrites)
            }
            // The content is known only if the input did not change during the work.
            let isUnchanged = journal != nil && before != nil && identity == before
            if journal != nil {
                try note(
                    .done, before, content: isUnchanged ? content : nil,
                    files: files.files(at: made.outputs))
            }
            return .made(made)
        } catch {
            // Another process was faster; its output is complete.
            if error.effect == .outputExists, !existed {
                return .skipped("made by another process")
            }
            if error.effect == .hasNothing {
                if isNoted { try note(.nothing, before, files: files.present) }
                return .nothing
            }
            if error.effect != .cancelled, isNoted {
                try note(.error, before, files: files.present)
            }
            throw error
        }
    }

    /// Notes each file of the work before it gets its name, so that a kill leaves none that nobody knows.
    private func noting(
        _ files: ResultFiles, _ isNoted: Bool, _ before: InputIdentity?,
        _ work: () async throws(BatchFailure) -> Product
    ) async throws(BatchFailure) -> Product {
        guard let journal, isNoted else { return try await work() }
        let record = record(.ready, before, files: [])
        let note: @Sendable (String, CInt) throws(SystemError) -> Void = {
            (path, descriptor) throws(SystemError) in
            guard let file = JournalRecord.File(path: path, open: descriptor) else { return }
            var record = record
            (record.files, record.readyCount) = files.add(file)
            do throws(FileError) { try journal.append(record.line) } catch { throw error.error }
        }
        return try await NewFile.$willPublish.withValue(note) {
            () async -> Result<Product, BatchFailure> in
            do throws(BatchFailure) { return .success(try await work()) } catch {
                return .failure(error)
            }
        }.get()
    }

    // Tries, and tries again after growing delays what may recover.
    private func tries(_ overwrites: Bool) async throws(BatchFailure) -> Product {
        var retry = 0
        while true {
            do throws(BatchFailure) { return try await once(overwrites) } catch {
                guard retry < retries(after: error), !Task.isCancelled else { throw error }
                let delay = RetryPolicy().delay(
                    before: retry, retryAfter: nil, random: Double.random(in: 0..<1))
                retry += 1
                try await sleep(delay)
            }
        }
    }

    private func retries(after failure: BatchFailure) -> Int {
        switch failure.effect {
        case .mayRecover: rules.retries
        case .disturbed: max(1, rules.retries)
        case .failsItem, .hasNothing, .outputExists, .endsRun, .cancelled: 0
        }
    }

    private func once(_ overwrites: Bool) async throws(BatchFailure) -> Product {
        let work = item.work
        let didAdvance = didAdvance
        guard let timeout = rules.timeout else { return try await work(overwrites, didAdvance) }
        return try await TimeLimit(time: timeout, clock: rules.clock).run(on: pool) {
            () async -> Result<Product, BatchFailure> in
            do throws(BatchFailure) {
                return .success(try await work(overwrites, didAdvance))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private func createFolders() throws(BatchFailure) {
        for output in item.outputs {
            guard let slash = output.lastSlash, slash > output.startIndex else { continue }
            let folder = output.parentFolder
            if FileKind(folder) == .folder { continue }
            do throws(SystemError) { _ = try FilePath.createFolder(folder) } catch {
                throw BatchFailure(
                    .failsItem, "cannotCreate", "Cannot create \(folder): \(error).",
                    underlying: FileError(path: folder, error))
            }
        }
    }

    // Also of further files that the last run made, such as more pages.
    private func sizes(_ record: JournalRecord?) -> [(path: String, size: Int?)] {
        let outputs = item.outputs.map { FilePath.absolute($0) }
        let others = (record?.files ?? []).map(\.path).filter { path in
            !outputs.contains { $0.isSamePath(as: path) }
        }
        return (outputs + others).map { ($0, Self.size(of: $0)) }
    }

    // A file that cannot be looked at has a size that none of ours has.
    private static func size(of path: String) -> Int? {
        var status = stat()
        guard stat(path.systemPath, &status) != 0 else { return Int(status.st_size) }
        return SystemError.last.isMissing ? nil : -1
    }

    private func note(
        _ state: JournalRecord.State, _ identity: InputIdentity?, content: String? = nil,
        files: [JournalRecord.File]
    ) throws(BatchFailure) {
        guard let journal else { return }
        var record = record(state, identity, files: files)
        record.content = content
        do throws(FileError) { try journal.append(record.line) } catch {
            throw BatchFailure(.endsRun, "io", error.description, underlying: error)
        }
    }

    private func record(
        _ state: JournalRecord.State, _ identity: InputIdentity?, files: [JournalRecord.File]
    ) -> JournalRecord {
        var record = JournalRecord(
            state, output: item.key, input: item.input.source, identity: identity,
            options: item.options, files: files)
        record.volume = item.input.path.flatMap { Volume(FilePath.absolute($0).parentFolder) }
        return record
    }
}
