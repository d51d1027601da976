internal import CommandSupport
internal import LazyBatch
internal import LazyBytes
internal import LazyFiles
internal import LazyMedia
internal import MediaJobs

/// What a batch is allowed and told to do.
struct BatchRules: Sendable {
    var jobs = 1
    var isForced = false
    var takesWhatIsThere = false
    /// The run ends at so many failures.
    var mostFailures: Int?
    /// How often what may go better is tried again.
    var retries = 0
    var timeLimit: TimeLimit?
    var clock: any SteadyClock = SystemSteadyClock()
}

/// One batch: all items, side by side, with their journal, events and bar.
struct BatchRun: Sendable {
    /// Threads that work which never ends may keep.
    private static let spareThreads = 64

    let rules: BatchRules
    let journal: Journal?
    let events: BatchEvents?
    let report: ReportStyle
    private let board = TallyBoard()

    /// What was counted so far, also of a run that ended early.
    var tally: BatchTally { board.tally }

    /// Makes all that is not made yet; what went wrong is in the tally.
    ///
    /// Throws what ends the whole run: a signal, a full disk, a reader that is gone.
    func run(
        _ items: [PlannedItem], faults: [CommandFailure]
    ) async throws(CommandFailure) -> BatchTally {
        let bar = JobBar("batch", items.count, report)
        defer { bar?.finish() }
        for fault in faults { try tell(fault, nil, bar) }
        let pool = BlockingPool(
            width: min(rules.jobs, BlockingPool.mostBlocked) + Self.spareThreads)
        var rest = Array(items.indices)
        // What other processes are at has its turn at the end: most of it is made by then.
        for isPatient in [false, true] {
            let turn = rest
            rest = []
            try await SideBySide.run(turn, jobs: rules.jobs) { _, index in
                let attempt = BatchAttempt(
                    item: items[index], run: self, pool: pool, isPatient: isPatient)
                return await attempt.run { share in bar?.set(share, of: index) }
            } didEnd: { (place, outcome) throws(CommandFailure) in
                let index = turn[place]
                switch outcome {
                case .busy: return rest.append(index)
                case .skipped: bar?.skip()
                default: bar?.end(index)
                }
                try tell(outcome, items[index], bar)
                if let failure = events?.failure { throw ending(failure, bar) }
            }
        }
        return tally
    }

    // A reader that goes away ends the run, which is not done for that.
    private func ending(_ failure: CommandFailure, _ bar: JobBar?) -> CommandFailure {
        guard failure.status == .success else { return failure }
        return ending(failure.code, "Nobody reads the events, and so the rest is left.", bar)
    }

    // The code says that some failed, which each has told; this is told here.
    private func ending(_ code: String, _ reason: String, _ bar: JobBar?) -> CommandFailure {
        let failure = CommandFailure(.someFailed, code, reason)
        bar?.clear()
        Console.say(report.json ? failure.json.line : failure.line)
        return failure
    }

    private func tell(
        _ outcome: BatchAttempt.Outcome, _ item: PlannedItem, _ bar: JobBar?
    ) throws(CommandFailure) {
        switch outcome {
        case .made(let made):
            board.change { $0.add(bytes: made.byteCount) }
            if !report.quiet, !made.warnings.isEmpty {
                bar?.clear()
                Warnings.say(made.warnings, about: item.input, asJSON: report.json)
            }
            events?.emit(
                "done", item,
                [
                    ("outputs", .names(made.outputs)),
                    ("bytes", .integer(Int64(made.byteCount))),
                    ("frames", .integer(Int64(made.frameCount))), ("result", made.json),
                ])
        case .skipped(let reason):
            board.change { $0.addSkipped() }
            events?.emit("skip", item, [("reason", .string(reason))])
        case .failed(let failure): try tell(failure, item, bar)
        case .busy: break
        }
    }

    // A full disk, a folder that cannot be written to and a signal are nobody's fault alone.
    private func tell(
        _ failure: CommandFailure, _ item: PlannedItem?, _ bar: JobBar?
    ) throws(CommandFailure) {
        let isInputs = failure.input != nil || failure.status == .cannotCreate
        guard isInputs, !failure.status.isInterruption else { throw failure }
        let own =
            item.map { failure.input == nil ? failure.about($0.input.label) : failure } ?? failure
        board.change { $0.add(failure: own.status) }
        bar?.clear()
        _ = own.report(asJSON: report.json)
        if case .object(let members)? = own.json["error"] {
            let known = ["input"]
            let rest = members.filter { !known.contains($0.0) }
            if let item {
                events?.emit("error", item, rest)
            } else {
                events?.emit(
                    JSONValue.object(
                        [
                            ("event", .string("error")), ("input", .name(orNull: own.input)),
                            ("output", .null),
                        ] + rest))
            }
        }
        let failed = tally.failed
        guard let most = rules.mostFailures, failed >= most else { return }
        throw ending(
            "tooManyFailures", "\(failed) failed, and so the rest is left.", bar)
    }
}
