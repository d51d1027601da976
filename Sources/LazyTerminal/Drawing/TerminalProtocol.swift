/// A way to show pictures in a terminal.
///
/// The options of the command line, their help and the player derive from `all`: a new protocol is
/// a canvas and an entry in that list.
public struct TerminalProtocol: Hashable, Sendable, CustomStringConvertible {
    /// The name on the command line.
    public let name: String
    /// One line for help texts.
    public let summary: String
    private let supports: @Sendable (TerminalTraits) -> Bool
    private let canvas: @Sendable (CellGrid, CanvasPlacement, TerminalTraits) -> any FrameDrawing

    private init(
        _ name: String, _ summary: String,
        supports: @escaping @Sendable (TerminalTraits) -> Bool,
        canvas: @escaping @Sendable (CellGrid, CanvasPlacement, TerminalTraits) -> any FrameDrawing
    ) {
        self.name = name
        self.summary = summary
        self.supports = supports
        self.canvas = canvas
    }

    /// Half blocks: two pixels a cell; needs UTF-8.
    public static let blocks = TerminalProtocol(
        "blocks", "two pixels a cell, needs UTF-8", supports: { $0.glyphs == .blocks },
        canvas: { CellCanvas($0, $1, $2.drawing(.blocks)) })

    /// Characters of ASCII: one pixel a cell.
    public static let ascii = TerminalProtocol(
        "ascii", "one pixel a cell", supports: { _ in true },
        canvas: { CellCanvas($0, $1, $2.drawing(.ascii)) })

    /// All protocols, the best first.
    public static let all: [TerminalProtocol] = [.blocks, .ascii]

    /// The best protocol that a terminal understands.
    public static func best(for traits: TerminalTraits) -> TerminalProtocol {
        all.first { $0.supports(traits) } ?? .ascii
    }

    /// The protocol of a name.
    public init?(named name: String) {
        guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// Makes a canvas that draws by this protocol.
    public func makeCanvas(
        _ grid: CellGrid, _ placement: CanvasPlacement, _ traits: TerminalTraits
    ) -> any FrameDrawing { canvas(grid, placement, traits) }

    /// The name.
    public var description: String { name }

    /// Compares the names.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
