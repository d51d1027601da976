internal import LazyBase
internal import LazyBatch
internal import LazyPipeline

/// Runs the items of a command with its journal, and reports them; what `batch` and `gallery` share.
struct BatchExecution {
    /// The members of a JSON object.
    typealias Members = [(String, JSONValue)]

    let entries: [BatchEntry]
    /// The entries that are invalid.
    var faults: [CommandFailure] = []
    let rules: BatchRules
    /// The number of failures that ends the run.
    let failureLimit: Int?
    let writesEvents: Bool
    let style: ReportStyle
    /// The folder that was named for all outputs.
    let folder: String?

    /// What is done after all items: its members of the results for programs, and whether a named folder was not there.
    typealias Finish = (members: Members, isIncomplete: Bool)

    /// Runs all items, then `finish`.
    func run(
        _ journal: Journal?, finish: () throws(CommandFailure) -> Finish = { ([], false) }
    ) async throws(CommandFailure) -> ExitStatus {
        let events = writesEvents ? BatchEvents() : nil
        let reporter = BatchReporter(
            entries, failureLimit: failureLimit, events, style, folder: folder)
        let begin = ContinuousClock.now
        defer { journal?.flush() }
        let seconds = { (ContinuousClock.now - begin) / .seconds(1) }
        do throws(CommandFailure) {
            let tally = try await Interruption.cancelling { () throws(CommandFailure) in
                try await reporter.run(journal, rules, faults: faults)
            }
            let finished = try finish()
            try tell(tally, finished.members, seconds: seconds(), events)
            return tally.status == .success && finished.isIncomplete ? .someFailed : tally.status
        } catch {
            let left = entries.count + faults.count - reporter.tally.count
            try? tell(
                reporter.tally, left: left, goesOn: journal != nil, seconds: seconds(), events)
            throw error
        }
    }

    // The results of a run that ended early; a closed pipe gets none.
    private func tell(
        _ tally: BatchTally, left: Int, goesOn: Bool, seconds: Double, _ events: BatchEvents?
    ) throws(CommandFailure) {
        let members = tally.json + [("left", .integer(left))]
        if let events {
            if events.failure == nil { events.emit("end", nil, members) }
        } else if style.json {
            try Console.print(JSONValue.object(members).text)
        }
        guard !style.quiet, !style.json else { return }
        let next =
            goesOn ? "The same command continues." : "Without a journal the command starts again."
        Console.say("lazyimg: " + tally.sentence(seconds: seconds, left: left) + " " + next)
    }

    private func tell(
        _ tally: BatchTally, _ more: Members, seconds: Double, _ events: BatchEvents?
    ) throws(CommandFailure) {
        let members = tally.json + more
        if let events {
            events.emit("end", nil, members)
            // The work is complete even if the report cannot be written.
            if let failure = events.failure, failure.status != .success { throw failure }
        } else if style.json {
            try Console.print(JSONValue.object(members).text)
        }
        if !style.quiet, !style.json {
            Console.say("lazyimg: " + tally.sentence(seconds: seconds))
        }
    }
}

/// An item, and the input it is of.
struct BatchEntry: Sendable {
    let input: Input
    let item: BatchItem<JobReport>
}
