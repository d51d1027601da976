internal import ArgumentParser
import Glibc
internal import LazyBase
internal import LazyKit
internal import LazyOptions
internal import LazyTerminal

/// The options for drawing in a terminal.
struct DrawingOptions: ParsableArguments {
    @Option(
        "Columns and lines to draw in, such as 80x24, instead of the window's.",
        as: "grid", transform: Arguments.cells)
    var cells: CellGrid?

    @Option(
        "The number of colors: truecolor, 256, 16, none or auto (by TERM, COLORTERM and NO_COLOR; truecolor for a pipe).",
        as: "depth", completion: .list(["auto", "truecolor", "256", "16", "none"]),
        transform: Arguments.colorDepth)
    var colors: Chosen<ColorDepth>?

    @Option(
        "How to draw: \(Self.protocols), or auto (the terminal is asked; blocks or ascii where it has no pixels). Default: LAZYIMG_PROTOCOL, or auto. Also --glyphs.",
        as: "protocol", name: [.customLong("protocol"), .customLong("glyphs")],
        completion: .list(["auto"] + TerminalProtocol.all.map(\.name)),
        transform: Arguments.terminalProtocol)
    var terminalProtocol: Chosen<TerminalProtocol>?

    private static var protocols: String {
        TerminalProtocol.all.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ")
    }

    /// Whether one of them says what is not left to the terminal.
    var isChosen: Bool { cells != nil || terminalProtocol != nil }

    /// Throws if one of the options is given.
    func refuse(_ reason: String) throws(CommandFailure) {
        let given = [
            ("--cells", cells != nil), ("--colors", colors != nil),
            ("--protocol", terminalProtocol != nil),
        ]
        if let (name, _) = given.first(where: \.1) { throw .usage("\(name) \(reason).") }
    }

    /// The options as settings of a player or a grid.
    func settings() throws(CommandFailure) -> PlayerSettings {
        let chosen = try chosenProtocol()
        return PlayerSettings(
            encoders: .standard, grid: cells, traits: traits(for: chosen), terminalProtocol: chosen,
            cancellation: Interruption.flag)
    }

    /// The protocol of the option, or of the environment; nil for the best that the terminal has.
    private func chosenProtocol() throws(CommandFailure) -> TerminalProtocol? {
        switch terminalProtocol {
        case .value(let named): return named
        case .auto: return nil
        case nil: break
        }
        let name = getenv("LAZYIMG_PROTOCOL").map { String(cString: $0) } ?? ""
        if name.isEmpty || name == "auto" { return nil }
        guard let named = TerminalProtocol(named: name) else {
            throw .usage("LAZYIMG_PROTOCOL names no protocol: \(name).")
        }
        return named
    }

    /// The traits of the terminal, unless an option overrides them.
    private func traits(for chosen: TerminalProtocol?) -> TerminalTraits {
        // Characters need no question.
        let asks = chosen?.hasPixels ?? true
        var traits: TerminalTraits =
            asks ? .detected(withoutColors: chosen != nil) : .ofProcess
        if !OutputStream.standardOutput.isTerminal {
            traits = .full
            if TerminalTraits.forbidsColors { traits.colors = .mono }
        }
        if case .value(let colors) = colors { traits.colors = colors }
        return traits
    }
}

/// A given value, or the automatic choice.
enum Chosen<Value: Sendable>: Sendable {
    case auto
    case value(Value)
}
