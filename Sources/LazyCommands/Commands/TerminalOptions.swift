internal import ArgumentParser
internal import CommandSupport
internal import LazyEditing
internal import LazyFiles
internal import LazyMedia
internal import LazyTerminal

/// A value that was asked for, or what suits.
enum Chosen<Value: Sendable>: Sendable {
    case auto
    case value(Value)
}

/// The options for playing in a terminal.
struct TerminalOptions: ParsableArguments {
    @Option(
        help: .init(
            "How often to play: a number, once, forever or source (as its author says).",
            valueName: "plays"),
        completion: .list(["once", "forever", "source"]), transform: Arguments.looping)
    var loop: Looping?

    @Option(help: .hidden, transform: Arguments.looping)
    var loops: Looping?

    @Option(
        help: .init(
            "Columns and lines to draw in, such as 80x24, in place of the window's.",
            valueName: "grid"),
        transform: Arguments.cells)
    var cells: CellGrid?

    @Option(
        help: .init(
            "How many colors to draw with: truecolor, 256, 16, none or auto (as TERM, COLORTERM and NO_COLOR say; truecolor into a pipe).",
            valueName: "depth"),
        completion: .list(["auto", "truecolor", "256", "16", "none"]),
        transform: Arguments.colorDepth)
    var colors: Chosen<ColorDepth>?

    @Option(
        help: .init(
            "What to draw with: blocks (two pixels a cell, needs UTF-8), ascii or auto (as the locale and TERM say).",
            valueName: "kind"),
        completion: .list(["auto", "blocks", "ascii"]), transform: Arguments.glyphs)
    var glyphs: Chosen<CellGlyphs>?

    @Flag(help: "Draw every frame as fast as it goes, without a clock.")
    var untimed = false

    /// Throws if one of the options was given.
    func refuse(_ reason: String) throws(CommandFailure) {
        let given = [
            ("--loop", (loop ?? loops) != nil), ("--cells", cells != nil), ("--untimed", untimed),
            ("--colors", colors != nil), ("--glyphs", glyphs != nil),
        ]
        if let (name, _) = given.first(where: \.1) { throw .usage("\(name) \(reason).") }
    }

    /// Turns the options into what the player needs; the plays are settled for each input.
    func settings(
        _ range: RangeOptions, inputs: [Input]
    ) throws(CommandFailure) -> TerminalPlayer.Settings {
        TerminalPlayer.Settings(
            plays: 1, grid: cells, traits: traits, isUntimed: untimed,
            part: try range.part())
    }

    /// What the terminal shows, unless something else was asked for.
    private var traits: TerminalTraits {
        var traits = TerminalTraits.ofProcess
        if !OutputStream.standardOutput.isTerminal {
            traits =
                traits.colors == .mono && TerminalTraits.forbidsColors
                ? TerminalTraits(colors: .mono, glyphs: .blocks) : .full
        }
        if case .value(let colors) = colors { traits.colors = colors }
        if case .value(let glyphs) = glyphs { traits.glyphs = glyphs }
        return traits
    }

    /// How often to play: as asked for, or as authored where one input plays on a terminal.
    func looping(isAlone: Bool, isOnTerminal: Bool) -> Looping {
        loop ?? loops ?? (isAlone && isOnTerminal ? .asAuthored : .times(1))
    }
}
