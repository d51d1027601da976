import Glibc

/// The tmux that this process runs in.
struct Tmux {
    /// Whether programs may send sequences to the terminal around it.
    let passesThrough: Bool
    /// `TERM` of that terminal, and the name it gave itself.
    private let term: String
    let terminal: String

    /// Asks tmux; nil outside of it.
    static func current(_ environment: (String) -> String?) -> Tmux? {
        guard environment("TMUX") != nil else { return nil }
        let answer = output(
            "tmux display-message -p '#{allow-passthrough}|#{client_termname}|#{client_termtype}'")
        return Tmux(answer: answer)
    }

    init(answer: String) {
        let parts = answer.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmed }
        // `on` and `all` of tmux 3.4; tmux 3.2 and older know no such option and always pass.
        passesThrough = parts.count == 3 && ["on", "all", "1"].contains(parts[0])
        term = parts.count == 3 ? parts[1] : ""
        terminal = parts.count == 3 ? parts[2] : ""
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
