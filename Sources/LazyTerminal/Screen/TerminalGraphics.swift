public import LazyMedia

/// What a terminal can do with pixels, as it answers or as its environment says.
public struct TerminalGraphics: Hashable, Sendable {
    /// How pixels get to a terminal.
    public enum Transfer: Hashable, Sendable {
        /// As base64 in the escape sequences themselves.
        case direct
        /// In files that the terminal removes.
        case files
        /// In shared memory.
        case memory
    }
    /// How pixels get to a terminal with kitty's protocol; nil without it.
    public var kitty: Transfer?
    /// Whether it also has the animation frames of kitty's protocol.
    public var animates = false
    /// Whether it has iTerm2's protocol.
    public var hasITerm2 = false
    /// The number of colors of a sixel picture, or nil without sixels.
    public var sixelColors: Int?
    /// The size of a cell in pixels; nil if it is unknown.
    public var cell: PixelSize?
    /// Whether tmux is between this process and the terminal, so that sequences of pixels are wrapped.
    public var isInTmux = false
    /// Whether tmux passes such sequences on (`allow-passthrough`).
    public var isPassedThrough = false
    /// Whether pictures move with text that scrolls; in tmux only those of a pane as wide as the terminal.
    package var scrolls = true
    /// What the terminal calls itself, or nil.
    public var name: String?

    /// No pixels at all.
    public static let none = TerminalGraphics()

    /// Makes the graphics of a terminal without pixels.
    public init() {}

    /// Whether it has any protocol for pixels.
    public var hasPixels: Bool { kitty != nil || hasITerm2 || sixelColors != nil }

    /// The size that is assumed for a cell of a terminal that does not tell.
    static let usualCell = PixelSize(width: 10, height: 20)
}
