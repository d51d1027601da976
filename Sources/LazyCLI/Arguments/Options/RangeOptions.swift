internal import ArgumentParser
internal import LazyEditing
internal import LazyRenditions

/// A range of time.
struct RangeOptions: ParsableArguments {
    @Option("Start with the frame on screen at this time.", Words.time, as: "time")
    var start: Duration?

    @Option("End before the frames at this time.", Words.time, as: "time")
    var end: Duration?

    @Option("End this long after the start.", Words.time, as: "time")
    var duration: Duration?

    /// The end in the time of the media.
    func finish() throws(CommandFailure) -> Duration? {
        if end != nil, duration != nil {
            throw .usage("--end cannot be combined with --duration.")
        }
        let finish = end ?? duration.map { (start ?? .zero) + $0 }
        if let finish, finish <= start ?? .zero {
            throw .usage("The end is not after the start: the range is empty.")
        }
        return finish
    }

    /// Whether one of them is given.
    var isGiven: Bool { start != nil || end != nil || duration != nil }

    /// The part between start and end as a segment; nil for the whole.
    func segment() throws(CommandFailure) -> Range<Duration>? {
        let finish = try finish()
        guard start != nil || finish != nil else { return nil }
        let start = start ?? .zero
        return start..<(finish ?? max(start, ClipEdit.toTheEnd))
    }

    /// The part between start and end.
    func part() throws(CommandFailure) -> ClipPart {
        ClipPart(start: start ?? .zero, end: try finish())
    }
}
