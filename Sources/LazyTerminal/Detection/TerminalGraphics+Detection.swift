internal import LazyMedia

extension TerminalGraphics {
    /// The graphics of a terminal by its answers; those of its environment if it is silent.
    init(_ answers: TerminalAnswers, _ environment: (String) -> String?) {
        self.init()
        guard answers.attributes != nil || !answers.answered.isEmpty else {
            self = TerminalGraphics(environment)
            return
        }
        name = answers.name
        cell = answers.cell
        let kitty = answers.kitty
        if kitty.contains(TerminalQuery.numbers.memory) {
            self.kitty = .memory
        } else if kitty.contains(TerminalQuery.numbers.file) {
            self.kitty = .files
        } else if kitty.contains(TerminalQuery.numbers.direct) {
            self.kitty = .direct
        }
        animates = self.kitty != nil && Self.isKitty(answers.name, environment)
        if answers.hasSixels { sixelColors = answers.sixelColors ?? 256 }
        hasITerm2 = Self.hasITerm2(answers.name, environment)
    }

    /// The graphics that an environment announces.
    init(_ environment: (String) -> String?) {
        self.init()
        let term = environment("TERM") ?? ""
        let isKitty = Self.isKitty(nil, environment)
        if isKitty || term.contains("ghostty") || environment("TERM_PROGRAM") == "ghostty" {
            kitty = .direct
            animates = isKitty
        }
        if ["foot", "mlterm", "yaft", "contour"].contains(where: { term.hasPrefix($0) }) {
            sixelColors = 256
        }
        hasITerm2 = Self.hasITerm2(nil, environment)
    }

    private static func isKitty(_ name: String?, _ environment: (String) -> String?) -> Bool {
        if let name { return name.lowercased().hasPrefix("kitty") }
        return environment("TERM") == "xterm-kitty" || environment("KITTY_WINDOW_ID") != nil
    }

    private static func hasITerm2(_ name: String?, _ environment: (String) -> String?) -> Bool {
        if let name { return programs.contains { name.lowercased().hasPrefix($0) } }
        let program = (environment("TERM_PROGRAM") ?? environment("LC_TERMINAL") ?? "").lowercased()
        return programs.contains { program.hasPrefix($0) }
    }

    /// Terminals with iTerm2's protocol, by the beginning of their names.
    private static let programs = ["iterm", "wezterm", "vscode", "xterm.js", "mintty", "tabby"]
}
