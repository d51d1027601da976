internal import LazyBase
internal import LazyBatch
internal import LazyPipeline

/// Reports the outcomes of a batch: events, warnings, failures, the progress bar and the tally.
final class BatchReporter: Sendable {
    let entries: [BatchEntry]
    /// The number of failures that ends the run.
    let failureLimit: Int?
    let events: BatchEvents?
    let style: ReportStyle
    /// The folder that was named for all outputs.
    let folder: String?
    private let bar: JobBar?
    private let counted = Locked(BatchTally())
    private let steps = Locked<[Int: Int]>([:])
    private let foreign = Locked(ForeignOutputs())
    private let nothing = Locked(SkippedFiles())

    init(
        _ entries: [BatchEntry], failureLimit: Int?, _ events: BatchEvents?,
        _ style: ReportStyle, folder: String?
    ) {
        self.entries = entries
        self.failureLimit = failureLimit
        self.events = events
        self.style = style
        self.folder = folder
        bar = JobBar("batch", entries.count, style)
    }

    /// The counts so far.
    var tally: BatchTally { counted.withLock { $0 } }

    /// Runs all items; throws what ends the whole run.
    func run(
        _ journal: Journal?, _ rules: BatchRules, faults: [CommandFailure]
    ) async throws(CommandFailure) -> BatchTally {
        defer { bar?.finish() }
        bar?.begin()
        for fault in faults { try report(fault, nil) }
        let run = BatchRun(
            entries.map(\.item), journal: journal, rules: rules,
            observer: .init(
                didStart: { [self] in events?.emit("start", entries[$0]) },
                didAdvance: { [self] in didAdvance($0, $1) }))
        do throws(BatchFailure) {
            try await run.run { (index, outcome) throws(BatchFailure) in
                bar?.end(index, outcome)
                do throws(CommandFailure) { try report(outcome, entries[index]) } catch {
                    throw error.asBatchFailure
                }
            }
        } catch {
            throw CommandFailure(error, about: nil)
        }
        bar?.finish()
        foreign.withLock { $0 }.tell(style)
        FolderSearch.tell(nothing: nothing.withLock { $0 }, style)
        return tally
    }

    // An event for each tenth of the work.
    private func didAdvance(_ index: Int, _ share: Double) {
        bar?.set(share, of: index)
        guard let events else { return }
        let tenth = Int(share * 10)
        let isStep = steps.withLock { steps in
            guard tenth > steps[index] ?? 0, tenth < 10 else { return false }
            steps[index] = tenth
            return true
        }
        guard isStep else { return }
        events.emit(
            "progress", entries[index], [("share", .number((share * 1000).rounded() / 1000))])
    }

    private func report(
        _ outcome: BatchOutcome<JobReport>, _ entry: BatchEntry
    ) throws(CommandFailure) {
        switch outcome {
        case .made(let made):
            counted.withLock { $0.add(bytes: made.byteCount) }
            if !style.quiet, !made.warnings.isEmpty {
                bar?.clear()
                Warnings.say(made.warnings, about: entry.input, asJSON: style.json)
            }
            events?.emit(made, entry)
        case .skipped(let reason):
            counted.withLock { $0.addSkipped() }
            if reason == SkipReason.foreign {
                foreign.withLock { $0.add(entry.item.outputs.first ?? "") }
            }
            events?.emit("skip", entry, [("reason", .string(reason))])
        case .nothing:
            counted.withLock { $0.addNothing() }
            nothing.withLock { $0.add(entry.input.label) }
            events?.emit("skip", entry, [("reason", .string("nothing"))])
        case .failed(let failure):
            try report(CommandFailure(failure, about: entry.input.label), entry)
        }
        if let failure = events?.failure {
            guard failure.status == .success else { throw failure }
            throw ending(
                failure.code, "The reader of the events is gone; the rest was not processed.")
        }
    }

    private func report(
        _ failure: CommandFailure, _ entry: BatchEntry?
    ) throws(CommandFailure) {
        let isOfInput = failure.input != nil || failure.isOfOneOutput(in: folder)
        guard isOfInput, !failure.status.isInterruption else { throw failure }
        var failure = failure
        if let entry, failure.input == nil { failure = failure.about(entry.input.label) }
        counted.withLock { $0.add(failure: failure.status) }
        bar?.clear()
        _ = failure.report(asJSON: style.json)
        events?.emit(failure, entry)
        let failed = tally.failed
        if let failureLimit, failed >= failureLimit {
            throw ending("tooManyFailures", "\(failed) failed; the rest was not processed.")
        }
    }

    // The failures were reported; this is why the run ends.
    private func ending(_ code: String, _ reason: String) -> CommandFailure {
        let failure = CommandFailure(.someFailed, code, reason)
        bar?.clear()
        Console.say(style.json ? failure.json.line : failure.line)
        return failure
    }
}
