internal import ArgumentParser
internal import CommandSupport
internal import LazyEditing
internal import LazyFiles
internal import LazyMedia
internal import LazyTerminal

/// The options for playing in a terminal.
struct TerminalOptions: ParsableArguments {
    @Option(
        help: .init(
            "The number of plays: a number, once, forever or source (as the file says).",
            valueName: "plays"),
        completion: .list(["once", "forever", "source"]), transform: Arguments.looping)
    var loop: Looping?

    @Option(help: .hidden, transform: Arguments.looping)
    var loops: Looping?

    @Option(
        help: .init(
            "Columns and lines to draw in, such as 80x24, instead of the window's.",
            valueName: "grid"),
        transform: Arguments.cells)
    var cells: CellGrid?

    @Option(
        help: .init(
            "The number of colors: truecolor, 256, 16, none or auto (by TERM, COLORTERM and NO_COLOR; truecolor for a pipe).",
            valueName: "depth"),
        completion: .list(["auto", "truecolor", "256", "16", "none"]),
        transform: Arguments.colorDepth)
    var colors: Chosen<ColorDepth>?

    @Option(
        name: [.customLong("protocol"), .customLong("glyphs")],
        help: .init(
            "How to draw: \(Self.protocols), or auto (by the locale and TERM). Also --glyphs.",
            valueName: "protocol"),
        completion: .list(["auto"] + TerminalProtocol.all.map(\.name)),
        transform: Arguments.terminalProtocol)
    var terminalProtocol: Chosen<TerminalProtocol>?

    @Flag(help: "Draw every frame as fast as possible.")
    var untimed = false

    private static var protocols: String {
        TerminalProtocol.all.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ")
    }

    /// Throws if one of the options is given.
    func refuse(_ reason: String) throws(CommandFailure) {
        let given = [
            ("--loop", (loop ?? loops) != nil), ("--cells", cells != nil), ("--untimed", untimed),
            ("--colors", colors != nil), ("--protocol", terminalProtocol != nil),
        ]
        if let (name, _) = given.first(where: \.1) { throw .usage("\(name) \(reason).") }
    }

    /// The options as settings of the player; looping depends on the input.
    func settings(_ range: RangeOptions) throws(CommandFailure) -> PlayerSettings {
        var settings = PlayerSettings(
            grid: cells, traits: traits, isUntimed: untimed, start: range.start ?? .zero,
            end: try range.finish(), cancellation: Interruption.flag)
        if case .value(let named) = terminalProtocol { settings.terminalProtocol = named }
        return settings
    }

    /// The traits of the terminal, unless an option overrides them.
    private var traits: TerminalTraits {
        var traits = TerminalTraits.ofProcess
        if !OutputStream.standardOutput.isTerminal {
            traits = .full
            if TerminalTraits.forbidsColors { traits.colors = .mono }
        }
        if case .value(let colors) = colors { traits.colors = colors }
        return traits
    }

    /// The looping: as requested, or as authored if one input plays on a terminal.
    func looping(isAlone: Bool, isOnTerminal: Bool) -> Looping {
        loop ?? loops ?? (isAlone && isOnTerminal ? .asAuthored : .times(1))
    }
}
