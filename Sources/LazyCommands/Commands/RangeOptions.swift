internal import ArgumentParser
internal import CommandSupport
internal import LazyEditing

/// Where to begin and to end.
struct RangeOptions: ParsableArguments {
    @Option(
        help: .init("Begin with the frame on screen at this time.", valueName: "time"),
        transform: Arguments.duration)
    var start: Duration?

    @Option(
        help: .init("End before the frames of this time.", valueName: "time"),
        transform: Arguments.duration)
    var end: Duration?

    @Option(
        help: .init("End so long after the start.", valueName: "time"),
        transform: Arguments.duration)
    var duration: Duration?

    /// The end, as a time of the media.
    func finish() throws(CommandFailure) -> Duration? {
        if end != nil, duration != nil {
            throw .usage("--end cannot be combined with --duration.")
        }
        let finish = end ?? duration.map { (start ?? .zero) + $0 }
        if let finish, finish <= start ?? .zero {
            throw .usage("The end is not after the start, so there is nothing to play.")
        }
        return finish
    }

    /// The part of the media between the start and the end.
    func part() throws(CommandFailure) -> ClipPart {
        ClipPart(start: start ?? .zero, end: try finish())
    }
}
