internal import ArgumentParser
internal import LazyEditing
internal import LazyOptions
internal import LazyRenditions

/// A range of time.
struct RangeOptions: ParsableArguments {
    @Option(
        "Start with the frame on screen at this time, with a frame (#120) or with a chapter (chapter:3).",
        Words.boundary, as: "time")
    var start: ClipSection.Place?

    @Option(
        "End before the frames at this time, before a frame (#120) or a chapter (chapter:4).",
        Words.boundary, as: "time")
    var end: ClipSection.Place?

    @Option("End this long after the start.", Words.time, as: "time")
    var duration: Duration?

    /// Whether one of them is given.
    var isGiven: Bool { start != nil || end != nil || duration != nil }

    /// The part between start and end; nil for the whole.
    func section() throws(CommandFailure) -> ClipSection? {
        if end != nil, duration != nil {
            throw .usage("--end cannot be combined with --duration.")
        }
        guard isGiven else { return nil }
        var section = ClipSection(from: start ?? .time(.zero), to: end)
        if let duration {
            guard case .time(let time) = section.start else {
                throw .usage("--duration needs a start in time.", hint: "Name the end with --end.")
            }
            section.end = .time(time + duration)
        }
        if section.times?.isEmpty == true {
            throw .usage("The end is not after the start: the range is empty.")
        }
        return section
    }

    /// The part between start and end as times; nil for the whole, and for frames and chapters.
    func times() throws(CommandFailure) -> Range<Duration>? { try section()?.times }
}
