internal import ArgumentParser
internal import LazyMedia

/// The options for playing in a terminal.
struct TerminalOptions: ParsableArguments {
    @Option(
        help: .init(
            "How often to play: a number, once, forever or source (as its author says).",
            valueName: "plays"),
        completion: .list(["once", "forever", "source"]), transform: Arguments.looping)
    var loops: Looping?

    @Option(
        help: .init(
            "Columns and lines to draw in, such as 80x24, in place of the window's.",
            valueName: "grid"),
        transform: Arguments.cells)
    var cells: CellGrid?

    @Flag(help: "Draw every frame as fast as it goes, without a clock.")
    var untimed = false

    /// Throws if one of the options was given.
    func refuse(_ reason: String) throws(CommandFailure) {
        let given = [
            ("--loops", loops != nil), ("--cells", cells != nil), ("--untimed", untimed),
        ]
        if let (name, _) = given.first(where: \.1) { throw .usage("\(name) \(reason).") }
    }

    /// Turns the options into what the player needs; the plays are settled for each input.
    func settings(
        _ range: RangeOptions, inputs: [Input]
    ) throws(CommandFailure) -> TerminalPlayer.Settings {
        TerminalPlayer.Settings(
            plays: 1, grid: cells, isUntimed: untimed, start: range.start ?? .zero,
            end: try range.finish())
    }

    /// How often to play: as asked for, or as authored where one input plays on a terminal.
    func looping(isAlone: Bool, isOnTerminal: Bool) -> Looping {
        loops ?? (isAlone && isOnTerminal ? .asAuthored : .times(1))
    }
}
