/// The list of keys as a page of a terminal.
enum HelpPage {
    /// The bytes that clear the screen and show it.
    static func text(_ grid: CellGrid) -> String {
        let width = PlayerKeys.all.map(\.names.count).max() ?? 0
        var lines = PlayerKeys.all.map { binding in
            binding.names + String(repeating: " ", count: width + 3 - binding.names.count)
                + binding.title
        }
        lines = ["Keys", ""] + lines + ["", "Any key continues."]
        let shown = lines.prefix(grid.lines)
        let top = 1 + (grid.lines - shown.count) / 2
        let most = shown.map(\.count).max() ?? 0
        let left = 1 + max(0, grid.columns - most) / 2
        return shown.enumerated().reduce("\u{1B}[0m\u{1B}[2J") { text, line in
            text + "\u{1B}[\(top + line.offset);\(left)H" + line.element.prefix(grid.columns)
        }
    }
}
