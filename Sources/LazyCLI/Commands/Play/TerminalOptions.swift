internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions
internal import LazyTerminal

/// The options for playing in a terminal.
struct TerminalOptions: ParsableArguments {
    @Option(
        "The number of plays: a number, once, forever or source (as the file says).",
        Words.loops, as: "plays")
    var loop: Looping?

    @Option(help: .hidden, transform: { try Words.loops.parse($0) })
    var loops: Looping?

    @OptionGroup var pace: SpeedOptions

    @Flag(help: "Draw every frame as fast as possible.")
    var untimed = false

    @Flag(
        help:
            "Leave the animation to the terminal, which plays it when lazyimg has ended: kitty, or a GIF in iTerm2, WezTerm and others."
    )
    var leave = false

    @Flag(help: "Show no line with the position below the picture.")
    var noStatus = false

    /// Throws if one of the options is given.
    func refuse(_ reason: String) throws(CommandFailure) {
        let given = [
            ("--loop", plays != nil), ("--speed", pace.speed != nil), ("--untimed", untimed),
            ("--leave", leave),
            ("--no-status", noStatus),
        ]
        if let (name, _) = given.first(where: \.1) { throw .usage("\(name) \(reason).") }
    }

    /// The options as settings of the player; looping depends on the input.
    func settings(
        _ range: RangeOptions, _ drawing: DrawingOptions
    ) throws(CommandFailure) -> PlayerSettings {
        try CommandFailure.refuse([
            ("--speed", pace.speed != nil, "--untimed", untimed),
            ("--speed", pace.speed != nil, "--leave", leave),
        ])
        var settings = try drawing.settings()
        settings.speed = pace.speed ?? 1
        settings.isUntimed = untimed
        if let part = try range.times() {
            settings.start = part.lowerBound
            settings.end = part.upperBound >= ClipEdit.toTheEnd ? nil : part.upperBound
        }
        settings.showsStatus = !noStatus
        return settings
    }

    /// The number of plays, where one is given.
    var plays: Looping? { loop ?? loops }
}
