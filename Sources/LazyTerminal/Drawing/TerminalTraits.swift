import Glibc

/// How many colors a terminal shows.
package enum ColorDepth: Hashable, Sendable {
    /// 24 bits.
    case truecolor
    /// The palette of xterm.
    case palette256
    /// The eight colors of ANSI, each also bright.
    case palette16
    /// None but its own.
    case mono
}

/// What pictures are drawn with.
package enum CellGlyphs: Hashable, Sendable {
    /// Half blocks: two pixels a cell. They need UTF-8.
    case blocks
    /// Characters of ASCII: one pixel a cell.
    case ascii
}

/// What a terminal can show, told by the environment.
///
/// The conventions: `TERM` and `COLORTERM` as terminals set them, https://no-color.org, and the
/// locale of POSIX, of which the first of `LC_ALL`, `LC_CTYPE` and `LANG` holds that is not empty.
package struct TerminalTraits: Hashable, Sendable {
    package var colors: ColorDepth
    package var glyphs: CellGlyphs
    /// Whether the cursor can be moved, without which no picture takes the place of another.
    package var movesCursor = true

    /// All that there is: for what is no terminal, and goes who knows where.
    package static let full = TerminalTraits(colors: .truecolor, glyphs: .blocks)

    /// Those of the terminal of this process.
    package static var ofProcess: TerminalTraits {
        TerminalTraits { name in getenv(name).map { String(cString: $0) } }
    }

    /// Whether `NO_COLOR` is set to anything.
    package static var forbidsColors: Bool { getenv("NO_COLOR").map { $0.pointee != 0 } ?? false }

    /// What `TERM` says, for messages.
    package static var name: String { getenv("TERM").map { String(cString: $0) } ?? "" }

    package init(colors: ColorDepth, glyphs: CellGlyphs, movesCursor: Bool = true) {
        self.colors = colors
        self.glyphs = glyphs
        self.movesCursor = movesCursor
    }

    /// What is drawn with, for people.
    package var words: String {
        let cells = glyphs == .blocks ? "half blocks" : "ASCII"
        let amount =
            switch colors {
            case .truecolor: "24-bit colors"
            case .palette256: "256 colors"
            case .palette16: "16 colors"
            case .mono: "no colors"
            }
        return "\(cells) in \(amount)" + (movesCursor ? "" : ", one picture only")
    }

    /// Reads an environment.
    package init(_ environment: (String) -> String?) {
        func value(_ name: String) -> String? {
            environment(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        let term = value("TERM") ?? "dumb"
        let isDumb = ["dumb", "unknown"].contains(term)
        movesCursor = !isDumb
        glyphs = isDumb || term == "linux" || !Self.isUTF8(value) ? .ascii : .blocks
        colors = value("NO_COLOR") != nil || isDumb ? .mono : Self.colors(term, value)
    }

    private static func isUTF8(_ value: (String) -> String?) -> Bool {
        let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "C"
        let charset = locale.lowercased().filter { $0 != "-" }
        return charset.contains("utf8")
    }

    private static func colors(_ term: String, _ value: (String) -> String?) -> ColorDepth {
        if isMonochrome(term) { return .mono }
        // GNU screen passes COLORTERM on to programs, and no 24-bit colors to the terminal.
        let isScreen = value("STY") != nil && value("TMUX") == nil
        if !isScreen, term != "linux", isTruecolor(term, value) { return .truecolor }
        if term.contains("256") || isScreen { return .palette256 }
        return plain.contains { term.hasPrefix($0) } ? .palette16 : .palette256
    }

    private static func isTruecolor(_ term: String, _ value: (String) -> String?) -> Bool {
        if ["truecolor", "24bit"].contains(value("COLORTERM")?.lowercased()) { return true }
        if ["-direct", "-truecolor", "-24bit"].contains(where: { term.hasSuffix($0) }) {
            return true
        }
        if capable.contains(where: { term.lowercased().hasPrefix($0) }) { return true }
        if let program = value("TERM_PROGRAM"), programs.contains(program) { return true }
        return value("WT_SESSION") != nil
    }

    private static func isMonochrome(_ term: String) -> Bool {
        ["-mono", "-m"].contains { term.hasSuffix($0) }
            || ["vt52", "vt1", "vt2", "vt3", "vt4", "sun"].contains { term.hasPrefix($0) }
    }

    /// Terminals with 24-bit colors, by the beginning of `TERM`.
    private static let capable = [
        "xterm-kitty", "kitty", "alacritty", "foot", "wezterm", "iterm", "xterm-ghostty",
        "ghostty", "contour", "mintty", "rio", "konsole-direct", "vte-direct",
    ]
    /// Terminals with 24-bit colors, by `TERM_PROGRAM`, which outlives a `TERM` of xterm-256color.
    private static let programs = [
        "iTerm.app", "WezTerm", "ghostty", "vscode", "WarpTerminal", "mintty", "rio",
    ]
    /// Names that promise no more than the colors of ANSI, by the beginning of `TERM`.
    private static let plain = [
        "linux", "xterm", "screen", "tmux", "rxvt", "ansi", "cygwin", "putty", "Eterm", "eterm",
        "cons25", "hurd", "mach", "pcansi", "wsvt25", "konsole", "gnome", "vte", "st",
    ]
}
