import Glibc

/// How many colors a terminal shows.
public enum ColorDepth: Hashable, Sendable {
    /// 24 bits.
    case truecolor
    /// The palette of xterm.
    case palette256
    /// The eight colors of ANSI, each also bright.
    case palette16
    /// None but the terminal's own.
    case mono
}

/// The characters that a terminal can show.
public enum CellGlyphs: Hashable, Sendable {
    /// Half blocks: two pixels a cell. They need UTF-8.
    case blocks
    /// Quadrants of a cell: four pixels a cell. They need UTF-8.
    case quadrants
    /// Sextants: six pixels a cell. They need UTF-8 and Unicode 13.
    case sextants
    /// Characters of ASCII: one pixel a cell.
    case ascii
}

/// What a terminal can show, according to the environment.
///
/// Read from `TERM` and `COLORTERM`, `NO_COLOR` (https://no-color.org), and the locale of POSIX: the
/// first of `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty.
public struct TerminalTraits: Hashable, Sendable {
    /// How many colors it shows.
    public var colors: ColorDepth
    /// The characters it shows.
    public var glyphs: CellGlyphs
    /// Whether the cursor can be moved, which animation needs.
    public var movesCursor = true
    /// What it can do with pixels; nothing unless it was asked, see `detected()`.
    public var graphics = TerminalGraphics.none

    /// Everything: for output that is not a terminal.
    public static let full = TerminalTraits(colors: .truecolor, glyphs: .blocks)

    /// The traits of this process's terminal.
    public static var ofProcess: TerminalTraits {
        TerminalTraits { name in getenv(name).map { String(cString: $0) } }
    }

    /// Whether `NO_COLOR` is set and not empty.
    public static var forbidsColors: Bool { getenv("NO_COLOR").map { $0.pointee != 0 } ?? false }

    /// The value of `TERM`, for messages.
    public static var name: String { getenv("TERM").map { String(cString: $0) } ?? "" }

    /// Makes traits.
    public init(colors: ColorDepth, glyphs: CellGlyphs, movesCursor: Bool = true) {
        self.colors = colors
        self.glyphs = glyphs
        self.movesCursor = movesCursor
    }

    /// Reads the traits from an environment.
    public init(_ environment: (String) -> String?) {
        func value(_ name: String) -> String? {
            environment(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        let term = value("TERM") ?? "dumb"
        let isDumb = ["dumb", "unknown"].contains(term)
        movesCursor = !isDumb
        glyphs = isDumb || term == "linux" || !Self.isUTF8(value) ? .ascii : .blocks
        colors = value("NO_COLOR") != nil || isDumb ? .mono : Self.colors(term, value)
    }

    /// Adds the colors of a terminal that is known by its own name.
    ///
    /// XTerm shows 24-bit colors from version 331 on, and its `TERM` does not tell.
    mutating func addColors(of graphics: TerminalGraphics) {
        guard colors != .mono, !graphics.isInTmux, let name = graphics.name,
            name.hasPrefix("XTerm("), let version = Int(name.dropFirst(6).prefix { $0.isNumber }),
            version >= 331
        else { return }
        colors = .truecolor
    }

    /// The same traits with other glyphs.
    func drawing(_ glyphs: CellGlyphs) -> TerminalTraits {
        var traits = self
        traits.glyphs = glyphs
        return traits
    }

    /// Whether text is UTF-8 by the locale of an environment whose empty values are nil.
    package static func isUTF8(_ value: (String) -> String?) -> Bool {
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
    /// Terminals with 16 colors, by the beginning of `TERM`.
    private static let plain = [
        "linux", "xterm", "screen", "tmux", "rxvt", "ansi", "cygwin", "putty", "Eterm", "eterm",
        "cons25", "hurd", "mach", "pcansi", "wsvt25", "konsole", "gnome", "vte", "st",
    ]
}
