internal import LazyBase
internal import LazyBatch
internal import LazyMedia
internal import LazyPipeline

/// `batch --follow`: keeps the results of folders current as files come, change, move and go.
///
/// It decides nothing itself: a file is found by the search of folders, its item is that of a batch, and the
/// journal says whether it is made. So a change that is reported twice, or a process that was killed, makes
/// nothing twice.
struct BatchFollow: Sendable {
    /// What the loop waits for.
    private enum Event: Sendable {
        case changed([FolderWatch.Change])
        case found([FolderSearch.File])
        case ended(Int, BatchOutcome<JobReport>)
        case pruned(KeptResults)
        /// A change is due, or the rest of a search.
        case due
        /// It is time for a search.
        case search
    }

    let folders: FollowedFolders
    let sources: BatchList.Sources
    let words: JobWords
    /// The folder of the results; nil for next to their inputs.
    let output: String?
    let journal: Journal
    let rules: BatchRules
    /// The time between searches; nil for the usual one.
    let interval: Duration?
    /// The folder that was named for all results.
    let folder: String?
    let report: FollowReport

    /// Results of files that are gone are removed this long after the last one went.
    private static let pruneDelay = Duration.seconds(2)
    /// So many files are looked at before changes are again.
    private static let glance = 64

    private var usualInterval: Duration { folders.needsSearches ? .seconds(300) : .seconds(3600) }

    /// Runs until the task is cancelled, which is its usual end.
    func run(_ planner: BatchPlanner) async throws(CommandFailure) {
        OpenWriters.prepare()
        let (events, sender) = AsyncStream<Event>.makeStream()
        do throws(SystemError) {
            try folders.start { sender.yield(.changed($0)) }
        } catch {
            throw CommandFailure(
                .unavailable, "environment", "The system cannot start a thread: \(error).")
        }
        defer { folders.stop() }
        let pool = BlockingPool.jobs(rules.jobs, spare: 64)
        let failure = await withDiscardingTaskGroup { group -> CommandFailure? in
            var state = State(planner: planner)
            defer { group.cancelAll() }
            sender.yield(.search)
            for await event in events {
                take(event, &state)
                report.flushed.map { state.failure = state.failure ?? $0 }
                if let failure = state.failure { return failure }
                for work in begin(&state, pool) {
                    group.addTask(executorPreference: pool) {
                        if let event = await work(), !Task.isCancelled { sender.yield(event) }
                    }
                }
            }
            return nil
        }
        if let failure { throw failure }
    }

    private struct State {
        var planner: BatchPlanner
        var queue = FollowQueue()
        /// What was said to be kept, which is not said again.
        var kept = KeptResults()
        /// The items that are being made, with their inputs.
        var running: [Int: BatchEntry] = [:]
        /// Items that wait for a free place.
        var ready: [BatchEntry] = []
        var count = 0
        /// When inputs that failed last changed: without a change they are not tried again.
        var failed: [NameDigest: FileTime] = [:]
        /// Inputs of which was said that others have their outputs.
        var foreign: Set<NameDigest> = []
        var wantsSearch = false
        var isSearching = false
        var wantsPruning = false
        var isPruning = false
        var isWaiting = false
        var isTimed = false
        var failure: CommandFailure?
    }

    private typealias Work = @Sendable () async -> Event?

    // MARK: - What happened

    private func take(_ event: Event, _ state: inout State) {
        switch event {
        case .search:
            (state.isTimed, state.wantsSearch) = (false, true)
        case .found(let files):
            (state.isSearching, state.wantsPruning) = (false, true)
            state.queue.begin(files)
        case .pruned(let kept): (state.isPruning, state.kept) = (false, kept)
        case .due: state.isWaiting = false
        case .changed(let changes): for change in changes { take(change, &state) }
        case .ended(let number, let outcome):
            if let entry = state.running.removeValue(forKey: number) { end(entry, outcome, &state) }
        }
    }

    private func take(_ change: FolderWatch.Change, _ state: inout State) {
        switch change {
        case .lost: state.wantsSearch = true
        case .came(let path):
            state.failed[NameDigest(path)] = nil
            state.queue.add(path, now: .now)
        case .went(let path):
            folders.remove(path)
            state.wantsPruning = true
            state.failed = [:]
            // What it was in the way of, and what must be made again if it was a result.
            state.queue.add(path.parentFolder, now: .now)
        }
    }

    private func end(
        _ entry: BatchEntry, _ outcome: BatchOutcome<JobReport>, _ state: inout State
    ) {
        guard case .failed(let reason) = outcome else {
            if case .skipped(SkipReason.foreign) = outcome, let path = entry.item.input.path {
                state.failed[NameDigest(path)] = FileTime(ofFile: path)
                guard state.foreign.insert(NameDigest(path)).inserted else { return }
            }
            report.tell(outcome, entry)
            return
        }
        let failure = CommandFailure(reason, about: entry.input.label)
        if failure.status.isInterruption { return }
        // It went while it was read.
        if let path = entry.item.input.path, failure.status != .temporary {
            guard let time = FileTime(ofFile: path) else { return }
            state.failed[NameDigest(path)] = time
        }
        report.tell(failure, entry)
        let isOfInput = failure.input != nil || failure.isOfOneOutput(in: folder)
        if !isOfInput || reason.effect == .endsRun { state.failure = failure }
    }

    // MARK: - What is begun

    private func begin(_ state: inout State, _ pool: BlockingPool) -> [Work] {
        var works: [Work] = []
        look(&state, pool)
        while state.running.count < rules.jobs, !state.ready.isEmpty {
            works.append(make(state.ready.removeFirst(), &state, pool))
        }
        if state.wantsSearch, !state.isSearching, !state.queue.hasFound {
            (state.wantsSearch, state.isSearching) = (false, true)
            works.append { [folders] in .found(folders.search()) }
        }
        if state.wantsPruning, !state.isPruning {
            (state.wantsPruning, state.isPruning) = (false, true)
            let pruning = Pruning(folders.roots, outputs: output, journal)
            works.append { [kept = state.kept] in await prune(pruning, told: kept) }
        }
        if let wait = wait(&state) { works.append(wait) }
        if !state.isTimed {
            state.isTimed = true
            let time = interval ?? usualInterval
            works.append { (try? await Task.sleep(for: time)).map { .search } }
        }
        return works
    }

    /// Looks at changes that are due, and where nothing else is to do at some files of a search.
    private func look(_ state: inout State, _ pool: BlockingPool) {
        let changed = state.queue.takeChanges(now: .now)
        if !changed.isEmpty { journal.readOn() }
        for path in changed {
            for file in folders.search(at: path) { look(file, &state, pool) }
        }
        if state.ready.count < rules.jobs {
            for file in state.queue.takeFound(Self.glance) { look(file, &state, pool) }
        }
    }

    private func look(_ file: FolderSearch.File, _ state: inout State, _ pool: BlockingPool) {
        if let time = state.failed[NameDigest(file.path)], time == FileTime(ofFile: file.path) {
            return
        }
        // Its end will be reported, or found by the next search.
        guard !OpenWriters.exist(for: file.path) else { return }
        state.count += 1
        let input = sources.input(file, number: state.count)
        do throws(CommandFailure) {
            let entry = try state.planner.entry(of: sources.item(input, nil, words))
            if entry.item.isMade(journal, rules, pool) || input.isPictureOfFilm { return }
            let isSame = { (other: BatchEntry) -> Bool in other.item.outputs == entry.item.outputs }
            if state.ready.contains(where: isSame) { return }
            // Reported twice, or changed again: its end tells.
            if state.running.values.contains(where: isSame) {
                return state.queue.add(file.path, now: .now)
            }
            state.ready.append(entry)
        } catch {
            if error.code != CommandFailure.replacesInput { report.tell(error, nil) }
        }
    }

    private func make(
        _ entry: BatchEntry, _ state: inout State, _ pool: BlockingPool
    ) -> Work {
        state.count += 1
        let number = state.count
        state.running[number] = entry
        return { [journal, rules, report] in
            let outcome = await entry.item.make(journal, rules, pool) { report.didStart(entry) }
            return .ended(number, outcome)
        }
    }

    private func prune(_ pruning: Pruning, told: KeptResults) async -> Event? {
        guard (try? await Task.sleep(for: Self.pruneDelay)) != nil else { return nil }
        do throws(CommandFailure) {
            var pruned = try pruning.run(journal)
            let kept = pruned.kept
            if kept == told { pruned.kept = KeptResults() }
            report.tell(pruned)
            return .pruned(kept)
        } catch {
            report.tell(error, nil)
            return .pruned(told)
        }
    }

    /// Waits for the next change, or lets others have their turn in a long search.
    private func wait(_ state: inout State) -> Work? {
        guard !state.isWaiting else { return nil }
        if state.queue.hasFound, state.ready.count < rules.jobs {
            state.isWaiting = true
            return { .due }
        }
        guard let due = state.queue.nextDue else { return nil }
        state.isWaiting = true
        return { (try? await Task.sleep(until: due, clock: .continuous)).map { .due } }
    }
}
