internal import LazyBase
internal import LazyBatch

/// Reports what a run that follows folders does, as it does it.
struct FollowReport: Sendable {
    let events: BatchEvents?
    let style: ReportStyle

    /// The failure of writing events, which ends the run.
    var flushed: CommandFailure? { events?.failure }

    /// An input is being processed.
    func didStart(_ entry: BatchEntry) { events?.emit("start", entry) }

    /// An input has its outputs; nothing is said of those that had them.
    func tell(_ outcome: BatchOutcome<JobReport>, _ entry: BatchEntry) {
        if case .skipped(SkipReason.foreign) = outcome {
            events?.emit("skip", entry, [("reason", .string(SkipReason.foreign))])
            if events == nil { ForeignOutputs([entry.item.outputs.first ?? ""]).tell(style) }
        }
        guard case .made(let made) = outcome else { return }
        if !style.quiet, !made.warnings.isEmpty {
            Warnings.say(made.warnings, about: entry.input, asJSON: style.json)
        }
        if let events { return events.emit(made, entry) }
        guard !style.quiet, !style.json else { return }
        Console.say("lazyimg: \(entry.input.label.shown): made \((made.outputs.first ?? "").shown)")
    }

    /// An input failed.
    func tell(_ failure: CommandFailure, _ entry: BatchEntry?) {
        _ = failure.report(asJSON: style.json)
        events?.emit(failure, entry)
    }

    /// Results of files that are gone were removed.
    func tell(_ pruned: Journal.Pruned) {
        if let events {
            if !pruned.isEmpty { events.emit("prune", nil, pruned.members) }
        } else {
            pruned.tell(style)
        }
    }
}
