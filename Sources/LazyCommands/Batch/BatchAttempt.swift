internal import CommandSupport
import Glibc
internal import LazyBatch
internal import LazyBytes
internal import LazyFiles
internal import LazyLoading
internal import LazyMedia
internal import MediaJobs
import Synchronization

/// One item's turn: whether it is needed, its start in the journal, its work, and what came of it.
struct BatchAttempt: Sendable {
    /// How a turn ends.
    enum Outcome: Sendable {
        case made(JobReport)
        /// There already, and why that is sure.
        case skipped(String)
        case failed(CommandFailure)
        /// Another process is at it.
        case busy
    }

    let item: PlannedItem
    let run: BatchRun
    let pool: BlockingPool
    /// Whether to wait for another process that is at it.
    var isPatient = false

    /// Takes the turn.
    func run(progress: @escaping @Sendable (Double) -> Void) async -> Outcome {
        do throws(CommandFailure) {
            try refusePipes()
            guard let journal = run.journal else { return try await attempt(progress) }
            while !journal.claim(item.key) {
                guard isPatient else { return .busy }
                let clock = run.rules.clock
                do { try await clock.sleep(until: clock.now + .milliseconds(100)) } catch {
                    throw CommandFailure.cancelled
                }
            }
            defer { journal.release(item.key) }
            if isPatient { journal.readOn() }
            return try await attempt(progress)
        } catch {
            return .failed(error)
        }
    }

    // A pipe that nobody writes to would be waited for, without an end, and no signal heard.
    private func refusePipes() throws(CommandFailure) {
        guard run.rules.timeLimit == nil, case .path(let path) = item.input.address,
            FileKind.isDevice(path)
        else { return }
        throw CommandFailure(
            .noInput, "notAFile",
            "\(path) is a pipe or a device, and a batch does not wait for it.",
            hint: "Say with --timeout how long it may take."
        ).about(item.input.label)
    }

    private var record: JournalRecord? { run.journal?.record(of: item.key) }

    private var identity: InputIdentity? {
        if case .path(let path) = item.input.address { InputIdentity(path: path) } else { nil }
    }

    private func attempt(
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> Outcome {
        let before = identity
        var facts = SkipDecision.Facts(
            record: record, input: item.source, identity: before, options: item.options,
            sizes: sizes,
            takesWhatIsThere: run.rules.takesWhatIsThere, isForced: run.rules.isForced)
        var decision = SkipDecision(facts, content: { content?.hex })
        if decision == .make(overwrites: false), facts.isSomethingThere, let journal = run.journal {
            // Not ours, or made by another process since the journal was read.
            journal.readOn()
            facts.record = record
            decision = SkipDecision(facts, content: { content?.hex })
        }
        switch decision {
        case .skip(let notesAgain):
            if notesAgain { try note(.done, before, content: record?.content ?? content?.hex) }
            return .skipped(record == nil ? "existing" : "made")
        case .make(let overwrites):
            return try await make(overwrites, before, facts, progress)
        }
    }

    private func make(
        _ overwrites: Bool, _ before: InputIdentity?, _ facts: SkipDecision.Facts,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> Outcome {
        let wasThere = facts.isSomethingThere
        // What was there before and is not ours would be taken for ours by the next run.
        if overwrites || !wasThere {
            try note(.start, before, files: wasThere ? record?.files ?? present : [])
        }
        run.events?.emit("start", item)
        do throws(CommandFailure) {
            try createFolders()
            let job = overwrites ? item.replacing : item.job
            let made = try await tries(job, progress)
            // What changed meanwhile has no content that could be told; and all is read to tell it.
            let isTold = run.journal != nil && before != nil && identity == before
            let content = isTold ? self.content?.hex : nil
            try note(.done, before, content: content, files: Self.files(of: made.outputs))
            return .made(made)
        } catch {
            if error.code == "exists", !wasThere {
                // Another process was faster; what it made is whole.
                return .skipped("made meanwhile")
            }
            if !error.status.isInterruption, overwrites || !wasThere {
                try note(.error, before, files: present)
            }
            throw error
        }
    }

    // Tries, and tries again what may go better, a while later each time.
    private func tries(
        _ job: any MediaJob, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        var retry = 0
        while true {
            switch await once(job, progress) {
            case .success(let made): return made
            case .failure(let failure):
                guard failure.status == .temporary, retry < run.rules.retries, !Task.isCancelled
                else { throw failure }
                let delay = RetryPolicy().delay(
                    before: retry, retryAfter: nil, random: Double.random(in: 0..<1))
                retry += 1
                let clock = run.rules.clock
                do { try await clock.sleep(until: clock.now + delay) } catch { throw .cancelled }
            }
        }
    }

    private func once(
        _ job: any MediaJob, _ progress: @escaping @Sendable (Double) -> Void
    ) async -> Result<JobReport, CommandFailure> {
        let (item, steps) = (item, ProgressSteps())
        let events = run.events
        let didAdvance: @Sendable (Double) -> Void = { share in
            progress(share)
            if let events, steps.isStep(share) {
                events.emit("progress", item, [("share", .number((share * 1000).rounded() / 1000))])
            }
        }
        let work: @Sendable () async -> Result<JobReport, CommandFailure> = {
            do throws(CommandFailure) {
                return .success(
                    try await job.run(item.input, isAlone: item.isNamed, progress: didAdvance))
            } catch {
                return .failure(error)
            }
        }
        guard let limit = run.rules.timeLimit else { return await work() }
        return await limit.run(on: pool, work).mapError { $0.about(item.input.label) }
    }

    private func createFolders() throws(CommandFailure) {
        for output in item.outputs {
            guard let slash = output.lastSlash, slash > output.startIndex else { continue }
            let folder = output.parentFolder
            if FileKind(folder) != .folder { try OutputFolder(folder).create() }
        }
    }

    // Also of what the last run made beyond the main ones, such as further pages.
    private var sizes: [(path: String, size: Int?)] {
        let others = (record?.files ?? []).map(\.path).filter { !item.outputs.contains($0) }
        return (item.outputs + others).map { ($0, Self.size(of: $0)) }
    }

    private var present: [JournalRecord.File] { Self.files(of: sizes.map(\.path)) }

    private static func files(of paths: [String]) -> [JournalRecord.File] {
        paths.compactMap { path in
            size(of: path).map { JournalRecord.File(path: path, size: $0) }
        }
    }

    private static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path.systemPath, &status) == 0 ? Int(status.st_size) : nil
    }

    private var content: Digest? {
        if case .path(let path) = item.input.address { Digest.content(path) } else { nil }
    }

    private func note(
        _ state: JournalRecord.State, _ identity: InputIdentity?, content: String? = nil,
        files: [JournalRecord.File]? = nil
    ) throws(CommandFailure) {
        guard let journal = run.journal else { return }
        let record = JournalRecord(
            state, output: item.key, input: item.source, identity: identity,
            options: item.options, content: content, files: files ?? present)
        try journal.append(record.line)
    }
}

/// Lets pass what is worth an event: tenths of the work.
private final class ProgressSteps: Sendable {
    private let last = Atomic<Int>(0)

    func isStep(_ share: Double) -> Bool {
        let tenth = Int(share * 10)
        let before = last.load(ordering: .relaxed)
        guard tenth > before, tenth < 10 else { return false }
        return last.compareExchange(expected: before, desired: tenth, ordering: .relaxed).exchanged
    }
}
