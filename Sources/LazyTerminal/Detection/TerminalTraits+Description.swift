internal import LazyMedia

extension TerminalTraits: CustomStringConvertible {
    /// A description for people.
    public var description: String {
        let cells = TerminalProtocol.best(for: self).title
        if graphics.hasPixels { return pixels }
        let amount =
            switch colors {
            case .truecolor: "24-bit colors"
            case .palette256: "256 colors"
            case .palette16: "16 colors"
            case .mono: "no colors"
            }
        return "\(cells) in \(amount)" + (movesCursor ? "" : ", one picture only")
    }

    // For example "kitty's protocol through shared memory, 10x20 pixels a cell (kitty 0.26.5)".
    private var pixels: String {
        var text = TerminalProtocol.best(for: self).title
        switch graphics.kitty {
        case .memory: text += " through shared memory"
        case .files: text += " through files"
        case .direct, nil: break
        }
        if let colors = graphics.sixelColors { text += " in \(colors) colors" }
        if let cell = graphics.cell { text += ", \(cell.width)x\(cell.height) pixels a cell" }
        if graphics.isInTmux { text += ", through tmux" }
        return text + (graphics.name.map { " (\($0))" } ?? "")
    }
}
