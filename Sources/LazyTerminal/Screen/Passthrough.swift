/// The sequence in which tmux passes others through to the terminal around it.
enum Passthrough {
    static let ending: StaticString = "\u{1B}\\"

    /// A sequence in it: each escape is doubled.
    static func wrapped(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        return "\u{1B}Ptmux;" + text.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
    }
}
