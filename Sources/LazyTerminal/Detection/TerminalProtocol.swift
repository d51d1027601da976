public import LazyMedia

/// A way to show pictures in a terminal.
///
/// The options of the command line, their help and the player derive from `all`: a new protocol is
/// a canvas and an entry in that list.
public struct TerminalProtocol: Hashable, Sendable, CustomStringConvertible {
    typealias Canvas =
        @Sendable (CellGrid, CanvasPlacement, TerminalTraits, EncoderRegistry) -> any FrameDrawing

    /// The name on the command line.
    public let name: String
    /// Another name that is understood, or nil.
    public let alias: String?
    /// A short name for people, such as `half blocks`.
    public let title: String
    /// One line for help texts.
    public let summary: String
    private let supports: @Sendable (TerminalTraits) -> Bool
    private let canvas: Canvas

    private init(
        _ name: String, or alias: String? = nil, _ title: String, _ summary: String,
        supports: @escaping @Sendable (TerminalTraits) -> Bool, canvas: @escaping Canvas
    ) {
        self.name = name
        self.alias = alias
        self.title = title
        self.summary = summary
        self.supports = supports
        self.canvas = canvas
    }

    /// Pixels by kitty's graphics protocol.
    public static let kitty = TerminalProtocol(
        "kitty", "kitty's protocol", "pixels, in kitty, Ghostty, Konsole and others",
        supports: { $0.graphics.kitty != nil }, canvas: { KittyCanvas($0, $1, $2, $3) })

    /// Pixels by iTerm2's protocol.
    public static let iterm2 = TerminalProtocol(
        "iterm2", or: "iterm", "iTerm2's protocol", "pixels, in iTerm2, WezTerm, mintty and others",
        supports: { $0.graphics.hasITerm2 }, canvas: { ITermCanvas($0, $1, $2, $3) })

    /// Pixels in the colors of a palette, as DEC's terminals drew them.
    public static let sixel = TerminalProtocol(
        "sixel", or: "sixels", "sixels", "pixels of a palette, in foot, xterm, mlterm and others",
        supports: { $0.graphics.sixelColors != nil },
        canvas: { grid, place, traits, _ in SixelCanvas(grid, place, traits) })

    /// Half blocks: two pixels a cell; needs UTF-8.
    public static let blocks = TerminalProtocol(
        "blocks", or: "half", "half blocks", "two pixels a cell, needs UTF-8",
        supports: { $0.glyphs != .ascii }, canvas: cells(.blocks))

    /// Quadrants: four pixels a cell in two colors; needs UTF-8.
    public static let quadrants = TerminalProtocol(
        "quadrants", or: "quarter", "quadrants", "four pixels a cell in two colors",
        supports: { $0.glyphs == .quadrants || $0.glyphs == .sextants },
        canvas: cells(.quadrants))

    /// Sextants: six pixels a cell in two colors; needs UTF-8 and a font with Unicode 13.
    public static let sextants = TerminalProtocol(
        "sextants", "sextants", "six pixels a cell in two colors, needs a font of Unicode 13",
        supports: { $0.glyphs == .sextants }, canvas: cells(.sextants))

    /// Characters of ASCII: one pixel a cell.
    public static let ascii = TerminalProtocol(
        "ascii", "ASCII", "one pixel a cell", supports: { _ in true },
        canvas: cells(.ascii))

    private static func cells(_ glyphs: CellGlyphs) -> Canvas {
        { grid, place, traits, _ in CellCanvas(grid, place, traits.drawing(glyphs)) }
    }

    /// All protocols, the best first.
    public static let all: [TerminalProtocol] = [
        .kitty, .iterm2, .sixel, .blocks, .quadrants, .sextants, .ascii,
    ]

    /// The best protocol that a terminal understands.
    public static func best(for traits: TerminalTraits) -> TerminalProtocol {
        all.first { $0.supports(traits) } ?? .ascii
    }

    /// The protocol of a name.
    public init?(named name: String) {
        let found = Self.all.first { $0.name == name || $0.alias == name }
        guard let found else { return nil }
        self = found
    }

    /// Whether it shows pixels rather than characters.
    public var hasPixels: Bool { [.kitty, .iterm2, .sixel].contains(self) }

    /// The pixels of a cell, which need not be square.
    func pixelsOfCell(_ traits: TerminalTraits) -> PixelSize {
        switch self {
        case .quadrants: PixelSize(width: 2, height: 2)
        case .sextants: PixelSize(width: 2, height: 3)
        case .blocks, .ascii: PixelSize(width: 1, height: 2)
        default: TerminalScreen.cell ?? traits.graphics.cell ?? TerminalGraphics.usualCell
        }
    }

    /// The size of a cell in units that are square.
    static func squareUnits(_ traits: TerminalTraits, _ chosen: TerminalProtocol) -> PixelSize {
        chosen.hasPixels ? chosen.pixelsOfCell(traits) : PixelSize(width: 6, height: 12)
    }

    /// Makes a canvas that draws by this protocol; some send pictures as PNG, which `encoders` write.
    public func makeCanvas(
        _ grid: CellGrid, _ placement: CanvasPlacement, _ traits: TerminalTraits,
        encoders: EncoderRegistry
    ) -> any FrameDrawing { canvas(grid, placement, traits, encoders) }

    /// The name.
    public var description: String { name }

    /// Compares the names.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
