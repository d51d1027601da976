import Glibc

/// The tmux that this process runs in.
struct Tmux {
    /// Whether programs may send sequences to the terminal around it.
    let passesThrough: Bool
    /// Whether answers of that terminal come to this pane: they go to the one that has the keys.
    let isAnswered: Bool
    /// Whether this pane is as wide as the terminal, which then scrolls it with its pictures.
    let isWhole: Bool
    /// `TERM` of that terminal, and the name it gave itself.
    private let term: String
    let terminal: String

    /// Asks tmux; nil outside of it.
    static func current(_ environment: (String) -> String?) -> Tmux? {
        guard environment("TMUX") != nil else { return nil }
        // Without a target tmux answers for the pane that has the keys.
        let pane = environment("TMUX_PANE") == nil ? "" : "-t \"$TMUX_PANE\""
        let answer = output(
            "tmux display-message -p \(pane) '\(questions.joined(separator: "|"))'")
        return Tmux(answer: answer)
    }

    private static let questions = [
        "#{allow-passthrough}", "#{client_termname}", "#{client_termtype}",
        "#{pane_active}#{window_active}", "#{pane_width}", "#{client_width}",
    ]

    init(answer: String) {
        let parts = answer.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmed }
        let isWhole = parts.count == Self.questions.count
        // `on` and `all` of tmux 3.4; tmux 3.2 and older know no such option and always pass.
        passesThrough = isWhole && ["on", "all", "1"].contains(parts[0])
        term = isWhole ? parts[1] : ""
        terminal = isWhole ? parts[2] : ""
        isAnswered = isWhole && parts[3] == "11"
        self.isWhole = isWhole && parts[4] == parts[5]
    }

    /// Whether the terminal around it is kitty itself.
    var isKitty: Bool { term == "xterm-kitty" || terminal.lowercased().hasPrefix("kitty") }

    /// What the environment outside would say.
    func environment(_ name: String) -> String? {
        let program = terminal.split(whereSeparator: { $0 == "(" || $0 == " " }).first
        switch name {
        case "TERM": return isKitty ? "xterm-kitty" : term
        case "TERM_PROGRAM": return program.map(String.init)
        default: return nil
        }
    }

    private static func output(_ command: String) -> String {
        guard let pipe = popen(command + " 2>/dev/null", "re") else { return "" }
        defer { pclose(pipe) }
        var line = [CChar](repeating: 0, count: 512)
        guard fgets(&line, CInt(line.count), pipe) != nil else { return "" }
        return String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Substring {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.prefix { !$0.isNewline })
    }
}
